package io.meridian.config.proposals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.proposals.Proposal.Decision;
import io.meridian.config.proposals.Proposal.ProposedChange;
import io.meridian.config.proposals.Proposal.State;
import io.meridian.config.rules.EntryKind;
import io.meridian.model.validation.EnumNames;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Table of proposals. */
final class ProposalTable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** A pending proposal whose time has come is expired. */
    private static final String STATE =
            "CASE WHEN state IN ('open', 'approved') AND expires_at <= ? THEN 'expired' ELSE state END";

    private static final String SELECT =
            "SELECT id, reason, changes::text AS changes, allow_unknown, author, created_at, expires_at, " + STATE
                    + " AS state, approved_by, approved_at, closed_by, closed_at, revision FROM proposal WHERE true";

    private ProposalTable() {}

    /** A proposal, locked until the transaction ends. */
    static Optional<Proposal> lock(Session session, long id, Instant now) {
        return first(select(now).add("AND id = ? FOR UPDATE", id), session);
    }

    static Optional<Proposal> find(Session session, long id, Instant now) {
        return first(select(now).add("AND id = ?", id), session);
    }

    /** Latest first, one more than a page has if another page follows. */
    static List<Proposal> page(
            Session session,
            Optional<State> state,
            Optional<String> author,
            Optional<Long> before,
            int max,
            Instant now) {
        SqlStatement statement = select(now);
        state.ifPresent(
                each -> statement.add("AND " + STATE + " = ?", Timestamps.toDatabase(now), EnumNames.text(each)));
        statement.addIf("AND author = ?", author).addIf("AND id < ?", before).add("ORDER BY id DESC LIMIT ?", max);
        List<Proposal> proposals = new ArrayList<>();
        statement.run(session).forEach(row -> proposals.add(read(row)));
        return proposals;
    }

    private static SqlStatement select(Instant now) {
        return SqlStatement.of(SELECT, Timestamps.toDatabase(now));
    }

    private static Optional<Proposal> first(SqlStatement statement, Session session) {
        for (Row row : statement.run(session)) {
            return Optional.of(read(row));
        }
        return Optional.empty();
    }

    /** The number of proposals that are open or approved. */
    static long pending(Session session, Instant now) {
        return SqlStatement.of(
                        "SELECT count(*) AS n FROM proposal WHERE state IN ('open', 'approved') AND expires_at > ?",
                        Timestamps.toDatabase(now))
                .run(session)
                .iterator()
                .next()
                .getLong("n");
    }

    /** Deletes what ended before a time; the audit trail keeps what was decided. */
    static void deleteEnded(Session session, Instant before) {
        session.run("DELETE FROM proposal WHERE coalesce(closed_at, expires_at) < $1", Timestamps.toDatabase(before));
    }

    /** Serializes the creation of proposals, so that their bound holds. */
    static void lockForCreation(Session session) {
        session.run("LOCK TABLE proposal IN SHARE ROW EXCLUSIVE MODE");
    }

    static long insert(Session session, Proposal proposal) {
        ArrayNode changes = JsonNodeFactory.instance.arrayNode();
        proposal.changes().forEach(change -> changes.add(change.toJson()));
        return session.run(
                        """
                        INSERT INTO proposal (reason, changes, allow_unknown, author, created_at, expires_at, state)
                        VALUES ($1, $2::text::jsonb, $3, $4, $5, $6, 'open') RETURNING id""",
                        proposal.reason(),
                        changes.toString(),
                        proposal.allowUnknown(),
                        proposal.author(),
                        Timestamps.toDatabase(proposal.createdAt()),
                        Timestamps.toDatabase(proposal.expiresAt()))
                .iterator()
                .next()
                .getLong("id");
    }

    static void update(Session session, Proposal proposal) {
        Decision decision = proposal.decision();
        session.run(
                """
                UPDATE proposal SET state = $2, approved_by = $3, approved_at = $4, closed_by = $5, closed_at = $6,
                    revision = $7 WHERE id = $1""",
                proposal.id(),
                EnumNames.text(proposal.state()),
                decision.approvedBy(),
                toDatabase(decision.approvedAt()),
                decision.closedBy(),
                toDatabase(decision.closedAt()),
                decision.revision());
    }

    private static @Nullable OffsetDateTime toDatabase(@Nullable Instant time) {
        return time == null ? null : Timestamps.toDatabase(time);
    }

    private static Proposal read(Row row) {
        return new Proposal(
                row.getLong("id"),
                row.getString("reason"),
                changes(row.getString("changes")),
                row.getBoolean("allow_unknown"),
                row.getString("author"),
                Timestamps.of(row, "created_at"),
                Timestamps.of(row, "expires_at"),
                EnumNames.find(State.class, row.getString("state")).orElseThrow(),
                new Decision(
                        row.getString("approved_by"),
                        time(row, "approved_at"),
                        row.getString("closed_by"),
                        time(row, "closed_at"),
                        row.getLong("revision")));
    }

    private static @Nullable Instant time(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }

    private static List<ProposedChange> changes(String text) {
        try {
            List<ProposedChange> changes = new ArrayList<>();
            for (JsonNode change : MAPPER.readTree(text)) {
                changes.add(new ProposedChange(
                        EntryKind.labelled(change.path("kind").asText()).orElseThrow(),
                        change.path("id").asText(),
                        object(change.path("before")),
                        object(change.path("after"))));
            }
            return changes;
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static @Nullable ObjectNode object(JsonNode node) {
        return node instanceof ObjectNode object ? object : null;
    }
}
