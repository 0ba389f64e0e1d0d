package io.meridian.config.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.OperationRecord.Kind;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the audit trail: one row per action, written in the transaction of the action where there is one. PostgreSQL
 * itself refuses to change or delete a row.
 */
@Singleton
public class AuditTrail {
    /** Every action that a row may have. */
    public static final List<String> ACTIONS = List.of(
            "created",
            "replaced",
            "deleted",
            "imported",
            "reset",
            "reset_done",
            "refund",
            "refused",
            "proposed",
            "approved",
            "rejected",
            "withdrawn",
            "applied");

    /** The kinds of objects besides the kinds of entries. */
    public static final List<String> OTHER_KINDS =
            List.of("token", "client", "call", "drill", OperationRows.KIND, "proposal");

    private static final String INSERT = """
            INSERT INTO audit (at, actor, request_id, action, kind, entry_id, revision, before, after)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9::text::jsonb)""";
    private static final String INSERT_OPERATION = """
            INSERT INTO audit (at, actor, request_id, action, kind, entry_id, after, operation)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8)
            ON CONFLICT (operation) WHERE operation IS NOT NULL DO NOTHING""";

    private final Database database;
    private final TimeSource time;

    AuditTrail(Database database, TimeSource time) {
        this.database = database;
        this.time = time;
    }

    /**
     * One action.
     *
     * @param kind what it was done to: a kind of entries, or one of {@link #OTHER_KINDS}
     * @param revision of the rules that the action made; null where it is no change of the rules
     */
    public record Row(
            String action,
            String kind,
            String id,
            @Nullable Long revision,
            Optional<ObjectNode> before,
            Optional<ObjectNode> after) {}

    /** Appends an action that is no part of another transaction. */
    public void append(Actor actor, String action, String kind, String id, ObjectNode after) {
        Row row = new Row(action, kind, id, null, Optional.empty(), Optional.of(after));
        Instant now = Timestamps.ofMicros(time.wallMicros());
        Row unused = database.transaction(session -> {
            append(session, actor, now, List.of(row));
            return row;
        });
    }

    /** Appends actions in the caller's transaction. */
    public static void append(Session session, Actor actor, Instant now, List<Row> rows) {
        session.batch(
                INSERT,
                rows.stream()
                        .map(row -> Tuple.tuple()
                                .addValue(Timestamps.toDatabase(now))
                                .addString(actor.name())
                                .addString(actor.requestId())
                                .addString(row.action())
                                .addString(row.kind())
                                .addString(row.id())
                                .addLong(row.revision())
                                .addString(
                                        row.before().map(ObjectNode::toString).orElse(null))
                                .addString(row.after().map(ObjectNode::toString).orElse(null)))
                        .toList());
    }

    /**
     * Appends a row for each row of a selection, in the caller's transaction.
     *
     * @param selection a SELECT of the columns entry_id, before and after, with {@code ?} for each argument
     */
    public static void appendSelected(
            Session session,
            Actor actor,
            Instant now,
            String action,
            String kind,
            long revision,
            String selection,
            Object... arguments) {
        SqlStatement.of(
                        "INSERT INTO audit (at, actor, request_id, action, kind, revision, entry_id, before, after)"
                                + " SELECT ?, ?, ?, ?, ?, ?, entry_id, before, after FROM (",
                        Timestamps.toDatabase(now),
                        actor.name(),
                        actor.requestId(),
                        action,
                        kind,
                        revision)
                .add(selection, arguments)
                .add(") AS changed")
                .run(session);
    }

    /** Appends resets and refunds that limiters reported, each once however often it is reported: its id is unique. */
    public static void appendOperations(Session session, List<OperationRecord> operations) {
        session.batch(
                INSERT_OPERATION,
                operations.stream()
                        .map(operation -> Tuple.tuple()
                                .addValue(Timestamps.toDatabase(operation.atMicros()))
                                .addString(operation.caller())
                                .addString(operation.requestId())
                                .addString(EnumNames.text(operation.kind()))
                                .addString(OperationRows.KIND)
                                .addString(OperationRows.entryId(operation))
                                .addString(OperationRows.after(operation).toString())
                                .addString(operation.id()))
                        .toList());
    }

    /**
     * Form of resets and refunds made at limiters in the audit trail; the actor is the name of the token that requested them.
     */
    static final class OperationRows {
        static final String KIND = "counter";
        /** Entry id of an operation to which no policy applied. */
        static final String NO_COUNTER = "none";
        /** In characters of at most three bytes each, so that the id fits an index. */
        static final int ENTRY_ID_MAX = 600;

        private OperationRows() {}

        /** The first counter, cut to the bound; the column after has all of them. */
        static String entryId(OperationRecord operation) {
            if (operation.limits().isEmpty()) {
                return NO_COUNTER;
            }
            OperationRecord.Counter first = operation.limits().get(0);
            String id = first.policy() + ":" + first.key();
            if (id.length() <= ENTRY_ID_MAX) {
                return id;
            }
            return id.substring(
                    0, Character.isHighSurrogate(id.charAt(ENTRY_ID_MAX - 1)) ? ENTRY_ID_MAX - 1 : ENTRY_ID_MAX);
        }

        static ObjectNode after(OperationRecord operation) {
            boolean refund = operation.kind() == Kind.REFUND;
            ObjectNode after = JsonNodeFactory.instance
                    .objectNode()
                    .put("region", operation.region())
                    .put("outcome", EnumNames.text(operation.outcome()));
            if (refund) {
                after.put("units", operation.units());
            }
            after.put("endpoint", operation.endpoint()).put("method", operation.method());
            ArrayNode limits = after.putArray("limits");
            for (OperationRecord.Counter each : operation.limits()) {
                ObjectNode limit =
                        limits.addObject().put("policy", each.policy()).put("key", each.key());
                if (refund) {
                    limit.put("units", each.units());
                }
            }
            return after.put("limits_total", operation.limitsTotal());
        }
    }
}
