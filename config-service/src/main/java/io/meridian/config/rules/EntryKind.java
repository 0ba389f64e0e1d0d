package io.meridian.config.rules;

import io.meridian.model.policy.Policy;
import io.meridian.model.rule.Rules;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.rulebook.Tier;
import java.util.Arrays;
import java.util.Optional;

/**
 * Kinds of entries, with their names and the textual ids of their keys. Ids in paths and cursors are {@code api-default},
 * {@code user_id:42}, {@code api-default:user_id:42}: only the last part may hold a colon, so an id has one reading.
 */
public enum EntryKind {
    POLICY("policy", "policies", "policy"),
    TIER("tier", "tiers", "tier"),
    CLIENT_TIER("client-tier", "client-tiers", "client_tier"),
    OVERRIDE("override", "overrides", "override"),
    ALLOW("allow", "allow-list", "allow_list"),
    DENY("deny", "deny-list", "deny_list"),
    ADAPTIVE("adaptive", "adaptive", "adaptive");

    private static final String ADAPTIVE_ID = "adaptive";

    private final String label;
    private final String collection;
    private final String table;

    EntryKind(String label, String collection, String table) {
        this.label = label;
        this.collection = collection;
        this.table = table;
    }

    /** The name of one entry in changes and in the audit trail. */
    public String label() {
        return label;
    }

    /** The name of the collection in paths. */
    public String collection() {
        return collection;
    }

    /** The table; also the only part of a statement that is not a constant. */
    public String table() {
        return table;
    }

    public static Optional<EntryKind> labelled(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
    }

    public static EntryKind of(EntryKey key) {
        if (key instanceof EntryKey.OfPolicy) {
            return POLICY;
        }
        if (key instanceof EntryKey.OfTier) {
            return TIER;
        }
        if (key instanceof EntryKey.OfClientTier) {
            return CLIENT_TIER;
        }
        if (key instanceof EntryKey.OfOverride) {
            return OVERRIDE;
        }
        if (key instanceof EntryKey.OfList line) {
            return line.list() == ListKind.ALLOW ? ALLOW : DENY;
        }
        return ADAPTIVE;
    }

    /** Kind and id, for messages: {@code policy api-default}. */
    public static String describe(EntryKey key) {
        return of(key).label + " " + id(key);
    }

    public static String id(EntryKey key) {
        if (key instanceof EntryKey.OfPolicy policy) {
            return policy.id();
        }
        if (key instanceof EntryKey.OfTier tier) {
            return tier.name();
        }
        if (key instanceof EntryKey.OfClientTier client) {
            return id(client.identifier());
        }
        if (key instanceof EntryKey.OfOverride override) {
            return override.policy() + ":" + id(override.identifier());
        }
        if (key instanceof EntryKey.OfList line) {
            return id(line.identifier());
        }
        return ADAPTIVE_ID;
    }

    private static String id(Identifier identifier) {
        return identifier.type() + ":" + identifier.value();
    }

    /** Parses an id; an address is brought to its canonical form. */
    public EntryKey key(String id) {
        return switch (this) {
            case POLICY -> {
                new Rules()
                        .require(Policy.isId(id), "id", id, "must be the id of a policy")
                        .throwIfBroken();
                yield new EntryKey.OfPolicy(id);
            }
            case TIER -> {
                Rules rules = new Rules();
                Tier.checkName(rules, "name", id);
                rules.throwIfBroken();
                yield new EntryKey.OfTier(id);
            }
            case CLIENT_TIER -> new EntryKey.OfClientTier(identifier(id, id));
            case OVERRIDE -> override(id);
            case ALLOW -> new EntryKey.OfList(ListKind.ALLOW, identifier(id, id));
            case DENY -> new EntryKey.OfList(ListKind.DENY, identifier(id, id));
            case ADAPTIVE -> {
                new Rules()
                        .require(id.equals(ADAPTIVE_ID), "id", id, "must be " + ADAPTIVE_ID)
                        .throwIfBroken();
                yield new EntryKey.OfAdaptive();
            }
        };
    }

    private static EntryKey override(String id) {
        int colon = id.indexOf(':');
        new Rules()
                .require(
                        colon > 0 && Policy.isId(id.substring(0, Math.max(0, colon))),
                        "id",
                        id,
                        "must be a policy, an identifier type and an identifier: policy:user_id:42")
                .throwIfBroken();
        return new EntryKey.OfOverride(id.substring(0, colon), identifier(id.substring(colon + 1), id));
    }

    private static Identifier identifier(String text, String id) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw Rules.broken("id", id, "must have an identifier type before a colon: user_id:42");
        }
        return new Identifier(text.substring(0, colon), text.substring(colon + 1));
    }
}
