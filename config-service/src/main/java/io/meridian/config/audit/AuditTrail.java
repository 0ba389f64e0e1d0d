package io.meridian.config.audit;

import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.ChangeResult.EntryOutcome;
import io.meridian.config.rules.EntryIds;
import io.meridian.config.rules.EntryDocument;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The audit trail: a row per thing done, written in the transaction that does it. */
public final class AuditTrail {
    private static final String INSERT = """
            INSERT INTO audit (at, actor, request_id, action, kind, entry_id, revision, before, after)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9::text::jsonb)""";

    /** What is done to entries, tokens, imports and clients, and what is not let in. */
    public static final List<String> ACTIONS =
            List.of("created", "replaced", "deleted", "imported", "reset", "reset_done", "refund", "refused");

    /** What it is done to, besides the kinds of entries. */
    public static final List<String> OTHER_KINDS = List.of("token", "client", "call", "counter");

    private static final String INSERT_ONCE = """
            INSERT INTO audit (at, actor, request_id, action, kind, entry_id, after, operation)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8)
            ON CONFLICT (operation) WHERE operation IS NOT NULL DO NOTHING""";

    private AuditTrail() {}

    /**
     * What was done elsewhere, and may be reported more than once.
     *
     * @param operation unique among all that was ever done
     */
    public record Reported(
            String operation, Actor actor, Instant at, String action, String kind, String id, ObjectNode after) {}

    /** A row for each operation that has none yet. */
    public static void writeOnce(Session session, List<Reported> operations) {
        if (operations.isEmpty()) {
            return;
        }
        List<Tuple> rows = new ArrayList<>(operations.size());
        for (Reported each : operations) {
            rows.add(Tuple.tuple()
                    .addValue(Timestamps.toDatabase(each.at()))
                    .addString(each.actor().name())
                    .addString(each.actor().requestId())
                    .addString(each.action())
                    .addString(each.kind())
                    .addString(each.id())
                    .addString(each.after().toString())
                    .addString(each.operation()));
        }
        session.batch(INSERT_ONCE, rows);
    }

    static void write(Session session, Actor actor, Instant now, long revision, List<EntryOutcome> outcomes) {
        List<Tuple> rows = new ArrayList<>(outcomes.size());
        for (EntryOutcome outcome : outcomes) {
            rows.add(row(
                    actor,
                    now,
                    outcome.what().name().toLowerCase(Locale.ROOT),
                    EntryKind.of(outcome.key()).label(),
                    EntryIds.of(outcome.key()),
                    revision,
                    outcome.before().map(EntryDocument::write),
                    outcome.after().map(EntryDocument::write)));
        }
        session.batch(INSERT, rows);
    }

    /** For what is no change of the rulebook: tokens, resets, refusals. */
    public static void write(
            Session session,
            Actor actor,
            Instant now,
            String action,
            String kind,
            String id,
            Optional<ObjectNode> before,
            Optional<ObjectNode> after) {
        session.batch(INSERT, List.of(row(actor, now, action, kind, id, null, before, after)));
    }

    private static Tuple row(
            Actor actor,
            Instant now,
            String action,
            String kind,
            String id,
            @Nullable Long revision,
            Optional<ObjectNode> before,
            Optional<ObjectNode> after) {
        return Tuple.tuple()
                .addValue(Timestamps.toDatabase(now))
                .addString(actor.name())
                .addString(actor.requestId())
                .addString(action)
                .addString(kind)
                .addString(id)
                .addLong(revision)
                .addString(before.map(ObjectNode::toString).orElse(null))
                .addString(after.map(ObjectNode::toString).orElse(null));
    }
}
