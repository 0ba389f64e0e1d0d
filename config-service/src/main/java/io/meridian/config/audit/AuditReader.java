package io.meridian.config.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.database.Database;
import io.meridian.config.database.Timestamps;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the audit trail, the latest first. */
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

    /** Which rows; {@code before} is the id where an earlier answer ended. */
    public record Question(
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<String> actor,
            Optional<String> action,
            Optional<String> kind,
            Optional<String> entry,
            Optional<Long> before,
            int limit) {}

    /** Some rows, and where the next begin. */
    public record Answer(List<JsonNode> items, Optional<Long> next) {}

    public Answer read(Question question) {
        StringBuilder sql = new StringBuilder(SELECT);
        List<Object> arguments = new ArrayList<>();
        where(sql, arguments, "at >=", question.from().map(Timestamps::toDatabase));
        where(sql, arguments, "at <", question.to().map(Timestamps::toDatabase));
        where(sql, arguments, "actor =", question.actor());
        where(sql, arguments, "action =", question.action());
        where(sql, arguments, "kind =", question.kind());
        where(sql, arguments, "entry_id =", question.entry());
        where(sql, arguments, "id <", question.before());
        arguments.add(question.limit() + 1);
        sql.append(" ORDER BY id DESC LIMIT $").append(arguments.size());
        List<JsonNode> items = new ArrayList<>();
        Optional<Long> next = Optional.empty();
        long last = 0;
        for (Row row : database.read(session -> session.run(sql.toString(), arguments.toArray()))) {
            if (items.size() == question.limit()) {
                next = Optional.of(last);
                break;
            }
            last = row.getLong("id");
            items.add(toJson(row));
        }
        return new Answer(items, next);
    }

    private static void where(StringBuilder sql, List<Object> arguments, String comparison, Optional<?> value) {
        value.ifPresent(each -> {
            arguments.add(each);
            sql.append(" AND ").append(comparison).append(" $").append(arguments.size());
        });
    }

    private static ObjectNode toJson(Row row) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", row.getLong("id"))
                .put("at", Timestamps.of(row, "at").toString())
                .put("actor", row.getString("actor"))
                .put("request_id", row.getString("request_id"))
                .put("action", row.getString("action"))
                .put("kind", row.getString("kind"))
                .put("entry_id", row.getString("entry_id"))
                .put("revision", row.getLong("revision"));
        json.set("before", tree(row.getString("before")));
        json.set("after", tree(row.getString("after")));
        return json;
    }

    private static JsonNode tree(@Nullable String text) {
        try {
            return text == null ? NullNode.instance : MAPPER.readTree(text);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
