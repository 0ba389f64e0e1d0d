package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
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

/**
 * Stored state that a set of changes depends on, read after the row of the revision was locked.
 *
 * @param entries those that the changes name, and those that they refer to
 * @param policyVersions the highest version ever used, by id, of policies that the changes name
 * @param overrides all overrides of the policies that the changes delete
 * @param defaultTier the present default tier
 * @param usedTiers tiers that the changes delete although clients have them whom the changes do not name
 * @param counts the number of policies and tiers
 */
record StoredContext(
        Map<RuleEntry.Key, StoredEntry> entries,
        Map<String, Long> policyVersions,
        List<StoredEntry> overrides,
        Optional<StoredEntry> defaultTier,
        Set<String> usedTiers,
        Map<EntryKind, Long> counts) {
    static final StoredContext NOTHING =
            new StoredContext(Map.of(), Map.of(), List.of(), Optional.empty(), Set.of(), Map.of());

    /** Reads the state in a few statements, whatever the number of changes. */
    static StoredContext read(Session session, List<EntryChange> changes) {
        return new Reader(session).read(changes);
    }

    private record Reader(Session session) {
        StoredContext read(List<EntryChange> changes) {
            Map<EntryKind, Set<String>> named = new EnumMap<>(EntryKind.class);
            Map<EntryKind, Set<String>> deleted = new EnumMap<>(EntryKind.class);
            for (EntryChange change : changes) {
                name(named, change.key());
                referred(change).ifPresent(key -> name(named, key));
                if (change instanceof EntryChange.Delete) {
                    name(deleted, change.key());
                }
            }
            Map<RuleEntry.Key, StoredEntry> entries = new HashMap<>();
            named.forEach((kind, ids) -> EntryTables.find(session, kind, ids, entries));
            referToPatched(changes, entries);
            return new StoredContext(
                    entries,
                    policyVersions(ids(named, EntryKind.POLICY)),
                    overridesOf(ids(deleted, EntryKind.POLICY)),
                    named.containsKey(EntryKind.TIER) ? defaultTier() : Optional.empty(),
                    usedTiers(ids(deleted, EntryKind.TIER), ids(named, EntryKind.CLIENT_TIER)),
                    counts(named.keySet()));
        }

        private static void name(Map<EntryKind, Set<String>> into, RuleEntry.Key key) {
            into.computeIfAbsent(EntryKind.of(key), kind -> new LinkedHashSet<>())
                    .add(EntryKind.id(key));
        }

        private static Set<String> ids(Map<EntryKind, Set<String>> of, EntryKind kind) {
            return of.getOrDefault(kind, Set.of());
        }

        /** The entry that the entry of a change refers to. */
        private static Optional<RuleEntry.Key> referred(EntryChange change) {
            if (change.key() instanceof RuleEntry.Key.OfOverride override) {
                return Optional.of(new RuleEntry.Key.OfPolicy(override.policy()));
            }
            return change instanceof EntryChange.Put put && put.entry() instanceof RuleEntry.OfClientTier of
                    ? Optional.of(new RuleEntry.Key.OfTier(of.clientTier().tier()))
                    : Optional.empty();
        }

        /** A patched client tier refers to the tier that it has or to the one of the patch. */
        private void referToPatched(List<EntryChange> changes, Map<RuleEntry.Key, StoredEntry> entries) {
            Set<String> tiers = new HashSet<>();
            for (EntryChange change : changes) {
                if (change instanceof EntryChange.Patch patch && change.key() instanceof RuleEntry.Key.OfClientTier) {
                    tiers.add(patch.patch().path("tier").asText());
                    Optional.ofNullable(entries.get(change.key()))
                            .ifPresent(stored -> tiers.add(((RuleEntry.OfClientTier) stored.entry())
                                    .clientTier()
                                    .tier()));
                }
            }
            EntryTables.find(
                    session,
                    EntryKind.TIER,
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

        /** Overrides that are deleted with their policies; bounded, because each is read, audited and published. */
        private List<StoredEntry> overridesOf(Set<String> policies) {
            if (policies.isEmpty()) {
                return List.of();
            }
            List<StoredEntry> overrides = EntryTables.read(
                    EntryKind.OVERRIDE,
                    session.run(
                            "SELECT " + EntryTables.COLUMNS
                                    + " FROM override WHERE policy = ANY($1) ORDER BY id LIMIT $2",
                            policies.toArray(String[]::new),
                            RuleStore.CHANGES_MAX + 1));
            if (overrides.size() > RuleStore.CHANGES_MAX) {
                throw new ChangeRefusedException(
                        ChangeRefusedException.Reason.IN_USE,
                        "more than " + RuleStore.CHANGES_MAX + " overrides would go with " + policies
                                + "; delete them first, so many at a time",
                        Optional.empty());
            }
            return overrides;
        }

        private Optional<StoredEntry> defaultTier() {
            return EntryTables.read(
                            EntryKind.TIER,
                            session.run("SELECT " + EntryTables.COLUMNS
                                    + " FROM tier WHERE (document ->> 'default')::boolean"))
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

        private Map<EntryKind, Long> counts(Set<EntryKind> named) {
            Map<EntryKind, Long> counts = new EnumMap<>(EntryKind.class);
            for (EntryKind kind : List.of(EntryKind.POLICY, EntryKind.TIER)) {
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
}
