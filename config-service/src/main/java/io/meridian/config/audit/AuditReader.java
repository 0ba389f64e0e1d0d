package io.meridian.config.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.NullNode;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Reader of the audit trail, latest row first. */
@Singleton
public class AuditReader {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SELECT = """
            SELECT id, at, actor, request_id, action, kind, entry_id, revision, before::text AS before, after::text AS after
            FROM audit WHERE true""";

    private final Database database;

    AuditReader(Database database) {
        this.database = database;
    }

    /** Which rows; {@code before} is the id where an earlier page ended. */
    public record Query(
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<String> actor,
            Optional<String> action,
            Optional<String> kind,
            Optional<String> entry,
            Optional<Long> before,
            int limit) {}

    /** Some rows, and the id after which the next page begins. */
    public record Page(List<AuditItem> items, Optional<Long> next) {}

    /** One row, as the API shows it. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record AuditItem(
            long id,
            String at,
            String actor,
            String requestId,
            String action,
            String kind,
            String entryId,
            @Nullable Long revision,
            @Schema(implementation = Object.class) JsonNode before,
            @Schema(implementation = Object.class) JsonNode after) {}

    public Page read(Query query) {
        SqlStatement statement = SqlStatement.of(SELECT)
                .addIf("AND at >= ?", query.from().map(Timestamps::toDatabase))
                .addIf("AND at < ?", query.to().map(Timestamps::toDatabase))
                .addIf("AND actor = ?", query.actor())
                .addIf("AND action = ?", query.action())
                .addIf("AND kind = ?", query.kind())
                .addIf("AND entry_id = ?", query.entry())
                .addIf("AND id < ?", query.before())
                .add("ORDER BY id DESC LIMIT ?", query.limit() + 1);
        List<AuditItem> items = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            if (items.size() == query.limit()) {
                return new Page(items, Optional.of(items.get(items.size() - 1).id()));
            }
            items.add(item(row));
        }
        return new Page(items, Optional.empty());
    }

    /** One row. */
    public Optional<AuditItem> find(long id) {
        SqlStatement statement = SqlStatement.of(SELECT).add("AND id = ?", id);
        for (Row row : database.read(statement::run)) {
            return Optional.of(item(row));
        }
        return Optional.empty();
    }

    /** The first changes of the same entry after a row, at most so many. */
    public static List<AuditItem> laterChanges(Session session, AuditItem item, int max) {
        List<AuditItem> later = new ArrayList<>();
        SqlStatement.of(SELECT)
                .add("AND kind = ? AND entry_id = ? AND id > ?", item.kind(), item.entryId(), item.id())
                .add("AND revision IS NOT NULL ORDER BY id LIMIT ?", max)
                .run(session)
                .forEach(row -> later.add(item(row)));
        return later;
    }

    private static AuditItem item(Row row) {
        return new AuditItem(
                row.getLong("id"),
                Timestamps.of(row, "at").toString(),
                row.getString("actor"),
                row.getString("request_id"),
                row.getString("action"),
                row.getString("kind"),
                row.getString("entry_id"),
                row.getLong("revision"),
                tree(row.getString("before")),
                tree(row.getString("after")));
    }

    private static JsonNode tree(@Nullable String text) {
        try {
            return text == null ? NullNode.instance : MAPPER.readTree(text);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
