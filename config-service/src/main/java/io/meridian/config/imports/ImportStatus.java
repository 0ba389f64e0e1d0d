package io.meridian.config.imports;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.database.Timestamps;
import io.meridian.model.validation.EnumNames;
import io.vertx.mutiny.sqlclient.Row;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * State and progress of an import, as the API shows it.
 *
 * @param list allow-list or deny-list
 * @param wrong the number of invalid lines, of which errors lists the first
 * @param revision that the import made; null before that
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ImportStatus(
        long id,
        String list,
        String mode,
        String actor,
        @Schema(implementation = String.class) State state,
        long lines,
        long wrong,
        List<LineError> errors,
        @Nullable Long created,
        @Nullable Long replaced,
        @Nullable Long deleted,
        @Nullable Long revision,
        String startedAt,
        String updatedAt) {
    static final String COLUMNS =
            "id, kind, mode, actor, state, lines, wrong, errors::text AS errors, created, replaced, deleted, revision,"
                    + " started_at, updated_at";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static ImportStatus of(Row row) {
        return new ImportStatus(
                row.getLong("id"),
                row.getString("kind") + "-list",
                row.getString("mode"),
                row.getString("actor"),
                EnumNames.find(State.class, row.getString("state")).orElseThrow(),
                row.getLong("lines"),
                row.getLong("wrong"),
                errors(row.getString("errors")),
                row.getLong("created"),
                row.getLong("replaced"),
                row.getLong("deleted"),
                row.getLong("revision"),
                Timestamps.of(row, "started_at").toString(),
                Timestamps.of(row, "updated_at").toString());
    }

    public ObjectNode toJson() {
        return MAPPER.valueToTree(this);
    }

    /** Error of one line. */
    public record LineError(long line, String reason) {}

    private static List<LineError> errors(String text) {
        try {
            return MAPPER.readValue(text, new TypeReference<>() {});
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** States of an import. */
    public enum State {
        /** Lines are being read. */
        READING,
        /** All lines are valid and become entries. */
        APPLYING,
        DONE,
        /** All lines are valid; it was a dry run. */
        REHEARSED,
        /** A line was invalid, so nothing was changed. */
        REFUSED,
        /** It was aborted, and nothing was changed. */
        FAILED;

        @JsonValue
        String text() {
            return EnumNames.text(this);
        }
    }
}
