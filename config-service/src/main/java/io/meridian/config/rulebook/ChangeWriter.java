package io.meridian.config.rulebook;

import io.meridian.config.rulebook.Outcome.What;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes what a set of changes came to: the rows, the versions, and what Kafka is to be told. */
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

    /** The order of the outcomes is kept in the outbox. */
    void write(List<Outcome> outcomes) {
        for (Kind kind : Kind.values()) {
            List<Outcome> own = outcomes.stream()
                    .filter(outcome -> Kind.of(outcome.key()) == kind)
                    .toList();
            if (!own.isEmpty()) {
                session.batch("DELETE FROM " + kind.table() + " WHERE id = $1", deletes(own));
                session.batch("INSERT INTO " + kind.table() + PUT, puts(own));
                Revisions.touched(session, kind, revision);
            }
        }
        session.batch(VERSION, versions(outcomes));
        session.batch(OUTBOX, outcomes.stream().map(this::record).toList());
    }

    /** The new default tier is written after the former one: there is never more than one. */
    private static List<Tuple> puts(List<Outcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.after().stream())
                .sorted(Comparator.comparing(ChangeWriter::isDefaultTier))
                .map(after -> Tuple.tuple()
                        .addString(after.id())
                        .addString(EntryCodec.value(after.entry()))
                        .addLong(after.version())
                        .addValue(Times.toDatabase(after.createdAt()))
                        .addValue(Times.toDatabase(after.updatedAt()))
                        .addValue(EntryRows.expiresAt(after.entry()))
                        .addString(after.createdBy().orElse(null)))
                .toList();
    }

    private static boolean isDefaultTier(Stored stored) {
        return stored.entry() instanceof RuleEntry.OfTier of && of.tier().isDefault();
    }

    private static List<Tuple> deletes(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.what() == What.DELETED)
                .map(outcome -> Tuple.of(EntryIds.of(outcome.key())))
                .toList();
    }

    private List<Tuple> versions(List<Outcome> outcomes) {
        List<Tuple> rows = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome.key() instanceof RuleEntry.Key.OfPolicy policy) {
                long version = outcome.after()
                        .map(Stored::version)
                        .orElseGet(() -> outcome.before().orElseThrow().version() + 1);
                rows.add(Tuple.tuple()
                        .addString(policy.id())
                        .addLong(version)
                        .addLong(revision)
                        .addString(value(outcome.after()))
                        .addValue(Times.toDatabase(now)));
            }
        }
        return rows;
    }

    private Tuple record(Outcome outcome) {
        return Tuple.tuple()
                .addLong(revision)
                .addString(EntryCodec.key(outcome.key()))
                .addString(value(outcome.after()));
    }

    private static @Nullable String value(Optional<Stored> stored) {
        return stored.map(after -> EntryCodec.value(after.entry())).orElse(null);
    }
}
