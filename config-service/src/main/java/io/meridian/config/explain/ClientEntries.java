package io.meridian.config.explain;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryTables;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.match.Check;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier.ClientTier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Look-up of the stored entries of a client, in the order in which limiters look them up: by type of identifier, an address by its longest
 * prefix first; an entry that has expired, or that does not fit its policy, gives way to the next.
 *
 * @param identifiers every identifier by which an entry may name the client, in that order; at most 64 attributes and 128 prefixes
 */
record ClientEntries(Session session, List<Identifier> identifiers, long nowMicros) {
    static ClientEntries of(Session session, Check check, long nowMicros) {
        List<Identifier> identifiers = new ArrayList<>();
        check.attributes().keySet().stream()
                .filter(Identifier::isType)
                .sorted(Identifier.PRECEDENCE)
                .forEach(type -> {
                    IpAddress address = check.address();
                    if (type.equals(Identifier.ADDRESS) && address != null) {
                        for (int bits = address.isV6() ? IpAddress.V6_BITS : IpAddress.V4_BITS; bits > 0; bits--) {
                            identifiers.add(new Identifier(type, new IpPrefix(address, bits).toString()));
                        }
                    } else {
                        identifiers.add(new Identifier(type, check.attributes().getOrDefault(type, "")));
                    }
                });
        return new ClientEntries(session, identifiers, nowMicros);
    }

    /** The line of a list that names the client. */
    Optional<ListEntry> listed(ListKind list) {
        return first(identifier -> new RuleEntry.Key.OfList(list, identifier)).stream()
                .map(stored -> ((RuleEntry.OfList) stored.entry()).entry())
                .filter(line -> isInForce(line.expiry()))
                .findFirst();
    }

    /** The client's own tier. */
    Optional<ClientTier> tier() {
        return first(RuleEntry.Key.OfClientTier::new).stream()
                .map(stored -> ((RuleEntry.OfClientTier) stored.entry()).clientTier())
                .findFirst();
    }

    /** The overrides of the client in these policies, by policy; read in one statement. */
    Map<String, LimitOverride> overrides(List<Policy> policies) {
        List<RuleEntry.Key> keys = new ArrayList<>();
        for (Policy policy : policies) {
            identifiers.forEach(identifier -> keys.add(new RuleEntry.Key.OfOverride(policy.id(), identifier)));
        }
        Map<RuleEntry.Key, StoredEntry> found = EntryTables.find(session, keys);
        Map<String, LimitOverride> overrides = new HashMap<>();
        for (Policy policy : policies) {
            inOrder(found, identifier -> new RuleEntry.Key.OfOverride(policy.id(), identifier)).stream()
                    .map(stored -> ((RuleEntry.OfOverride) stored.entry()).override())
                    .filter(override -> isInForce(override.expiry())
                            && policy.limitSpec().takes(override.limit(), override.burst()))
                    .findFirst()
                    .ifPresent(override -> overrides.put(policy.id(), override));
        }
        return overrides;
    }

    private List<StoredEntry> first(Function<Identifier, RuleEntry.Key> key) {
        return inOrder(EntryTables.find(session, identifiers.stream().map(key).toList()), key);
    }

    private List<StoredEntry> inOrder(Map<RuleEntry.Key, StoredEntry> found, Function<Identifier, RuleEntry.Key> key) {
        return identifiers.stream()
                .map(identifier -> found.get(key.apply(identifier)))
                .filter(stored -> stored != null)
                .toList();
    }

    private boolean isInForce(Expiry expiry) {
        return expiry.micros() > nowMicros;
    }

    /** The name of the default tier; empty if there is none. */
    static Optional<String> defaultTier(Session session) {
        return EntryTables.read(
                        EntryKind.TIER,
                        session.run("SELECT " + EntryTables.COLUMNS
                                + " FROM tier WHERE (document ->> 'default')::boolean ORDER BY id LIMIT 1"))
                .stream()
                .map(StoredEntry::id)
                .findFirst();
    }
}
