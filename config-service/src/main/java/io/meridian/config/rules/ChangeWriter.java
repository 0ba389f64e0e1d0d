package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.rules.ChangeResult.Effect;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writer of a set of changes: entry rows, policy versions and the outbox records that publish them to Kafka. */
record ChangeWriter(Session session, long revision, Instant now) {
    private static final String PUT = """
             (id, document, version, created_at, updated_at, expires_at, created_by)
            VALUES ($1, $2::text::jsonb, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET document = excluded.document, version = excluded.version,
                updated_at = excluded.updated_at, expires_at = excluded.expires_at""";
    private static final String VERSION = """
            INSERT INTO policy_version (id, version, revision, document, changed_at)
            VALUES ($1, $2, $3, $4::text::jsonb, $5)""";
    private static final String OUTBOX = "INSERT INTO outbox (revision, key, value) VALUES ($1, $2, $3)";

    /** Outbox records are in the order of the outcomes. */
    void write(List<EntryOutcome> outcomes) {
        for (EntryKind kind : EntryKind.values()) {
            List<EntryOutcome> own = outcomes.stream()
                    .filter(outcome -> EntryKind.of(outcome.key()) == kind)
                    .toList();
            if (!own.isEmpty()) {
                session.batch("DELETE FROM " + kind.table() + " WHERE id = $1", deletes(own));
                session.batch("INSERT INTO " + kind.table() + PUT, puts(own));
                EntryTables.markChanged(session, kind, revision);
            }
        }
        session.batch(VERSION, versions(outcomes));
        session.batch(OUTBOX, outcomes.stream().map(this::record).toList());
    }

    /** The new default tier is written after the former one, because the database allows one default tier only. */
    private static List<Tuple> puts(List<EntryOutcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.after().stream())
                .sorted(Comparator.comparing(ChangeWriter::isDefaultTier))
                .map(after -> Tuple.tuple()
                        .addString(after.id())
                        .addString(EntryCodec.value(after.entry()))
                        .addLong(after.version())
                        .addValue(Timestamps.toDatabase(after.createdAt()))
                        .addValue(Timestamps.toDatabase(after.updatedAt()))
                        .addValue(EntryTables.expiresAt(after.entry()))
                        .addString(after.createdBy().orElse(null)))
                .toList();
    }

    private static boolean isDefaultTier(StoredEntry stored) {
        return stored.entry() instanceof RuleEntry.OfTier of && of.tier().isDefault();
    }

    private static List<Tuple> deletes(List<EntryOutcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.effect() == Effect.DELETED)
                .map(outcome -> Tuple.of(EntryKind.id(outcome.key())))
                .toList();
    }

    private List<Tuple> versions(List<EntryOutcome> outcomes) {
        List<Tuple> rows = new ArrayList<>();
        for (EntryOutcome outcome : outcomes) {
            if (outcome.key() instanceof RuleEntry.Key.OfPolicy policy) {
                long version = outcome.after()
                        .map(StoredEntry::version)
                        .orElseGet(() -> outcome.before().orElseThrow().version() + 1);
                rows.add(Tuple.tuple()
                        .addString(policy.id())
                        .addLong(version)
                        .addLong(revision)
                        .addString(value(outcome.after()))
                        .addValue(Timestamps.toDatabase(now)));
            }
        }
        return rows;
    }

    private Tuple record(EntryOutcome outcome) {
        return Tuple.tuple()
                .addLong(revision)
                .addString(EntryCodec.key(outcome.key()))
                .addString(value(outcome.after()));
    }

    private static @Nullable String value(Optional<StoredEntry> stored) {
        return stored.map(after -> EntryCodec.value(after.entry())).orElse(null);
    }
}
