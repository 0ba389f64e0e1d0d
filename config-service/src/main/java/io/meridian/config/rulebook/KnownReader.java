package io.meridian.config.rulebook;

import io.meridian.config.store.Session;
import io.meridian.model.rules.RuleEntry;
import io.vertx.mutiny.sqlclient.Row;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what a set of changes touches, in a few statements whatever their number. */
record KnownReader(Session session) {
    Known read(List<Op> ops) {
        Map<Kind, Set<String>> named = new EnumMap<>(Kind.class);
        Map<Kind, Set<String>> deleted = new EnumMap<>(Kind.class);
        for (Op op : ops) {
            name(named, op.key());
            referred(op).ifPresent(key -> name(named, key));
            if (op instanceof Op.Delete) {
                name(deleted, op.key());
            }
        }
        Map<RuleEntry.Key, Stored> entries = new HashMap<>();
        named.forEach((kind, ids) -> EntryRows.find(session, kind, ids, entries));
        referToPatched(ops, entries);
        return new Known(
                entries,
                policyVersions(ids(named, Kind.POLICY)),
                overridesOf(ids(deleted, Kind.POLICY)),
                named.containsKey(Kind.TIER) ? defaultTier() : Optional.empty(),
                usedTiers(ids(deleted, Kind.TIER), ids(named, Kind.CLIENT_TIER)),
                counts(named.keySet()));
    }

    private static void name(Map<Kind, Set<String>> into, RuleEntry.Key key) {
        into.computeIfAbsent(Kind.of(key), kind -> new LinkedHashSet<>()).add(EntryIds.of(key));
    }

    private static Set<String> ids(Map<Kind, Set<String>> of, Kind kind) {
        return of.getOrDefault(kind, Set.of());
    }

    /** What the entry of a change refers to. */
    private static Optional<RuleEntry.Key> referred(Op op) {
        if (op.key() instanceof RuleEntry.Key.OfOverride override) {
            return Optional.of(new RuleEntry.Key.OfPolicy(override.policy()));
        }
        return op instanceof Op.Put put && put.entry() instanceof RuleEntry.OfClientTier of
                ? Optional.of(new RuleEntry.Key.OfTier(of.clientTier().tier()))
                : Optional.empty();
    }

    /** A patched client tier may refer to any tier, the one it has or the one of the patch. */
    private void referToPatched(List<Op> ops, Map<RuleEntry.Key, Stored> entries) {
        Set<String> tiers = new HashSet<>();
        for (Op op : ops) {
            if (op instanceof Op.Patch patch && op.key() instanceof RuleEntry.Key.OfClientTier) {
                tiers.add(patch.patch().path("tier").asText());
                Optional.ofNullable(entries.get(op.key()))
                        .ifPresent(stored -> tiers.add(((RuleEntry.OfClientTier) stored.entry())
                                .clientTier()
                                .tier()));
            }
        }
        EntryRows.find(
                session,
                Kind.TIER,
                tiers.stream().filter(tier -> tier.indexOf(0) < 0).toList(),
                entries);
    }

    private Map<String, Long> policyVersions(Set<String> ids) {
        Map<String, Long> versions = new HashMap<>();
        if (!ids.isEmpty()) {
            for (Row row : session.run(
                    "SELECT id, max(version) AS version FROM policy_version WHERE id = ANY($1) GROUP BY id",
                    (Object) ids.toArray(String[]::new))) {
                versions.put(row.getString("id"), row.getLong("version"));
            }
        }
        return versions;
    }

    /** What goes with policies that are deleted, up to a bound: all of it is read, written down and told. */
    private List<Stored> overridesOf(Set<String> policies) {
        if (policies.isEmpty()) {
            return List.of();
        }
        List<Stored> overrides = EntryRows.all(
                Kind.OVERRIDE,
                session.run(
                        "SELECT " + EntryRows.COLUMNS + " FROM override WHERE policy = ANY($1) ORDER BY id LIMIT $2",
                        policies.toArray(String[]::new),
                        Rulebook.CHANGES_MAX + 1));
        if (overrides.size() > Rulebook.CHANGES_MAX) {
            throw new ChangeRefused(
                    ChangeRefused.Reason.IN_USE,
                    "more than " + Rulebook.CHANGES_MAX + " overrides would go with " + policies
                            + "; delete them first, so many at a time",
                    Optional.empty());
        }
        return overrides;
    }

    private Optional<Stored> defaultTier() {
        return EntryRows.all(
                        Kind.TIER,
                        session.run(
                                "SELECT " + EntryRows.COLUMNS + " FROM tier WHERE (document ->> 'default')::boolean"))
                .stream()
                .findFirst();
    }

    private Set<String> usedTiers(Set<String> deleted, Set<String> changedClients) {
        Set<String> used = new HashSet<>();
        if (!deleted.isEmpty()) {
            for (Row row : session.run(
                    "SELECT t.id FROM tier t WHERE t.id = ANY($1) AND EXISTS"
                            + " (SELECT 1 FROM client_tier c WHERE c.tier = t.id AND NOT c.id = ANY($2))",
                    deleted.toArray(String[]::new),
                    changedClients.toArray(String[]::new))) {
                used.add(row.getString("id"));
            }
        }
        return used;
    }

    private Map<Kind, Long> counts(Set<Kind> named) {
        Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        for (Kind kind : List.of(Kind.POLICY, Kind.TIER)) {
            if (named.contains(kind)) {
                counts.put(
                        kind,
                        session.run("SELECT count(*) AS n FROM " + kind.table())
                                .iterator()
                                .next()
                                .getLong("n"));
            }
        }
        return counts;
    }
}
