package io.meridian.config.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.store.Times;
import io.meridian.model.validation.EnumNames;
import io.vertx.mutiny.sqlclient.Row;

/** An import as it stands, for whoever asks. */
public record ImportView(long id, ImportState state, ObjectNode json) {
    static final String COLUMNS =
            "id, kind, mode, actor, state, lines, wrong, errors::text AS errors, created, replaced, deleted, revision,"
                    + " started_at, updated_at";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static ImportView of(Row row) {
        ImportState state =
                EnumNames.find(ImportState.class, row.getString("state")).orElseThrow();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", row.getLong("id"))
                .put("list", row.getString("kind") + "-list")
                .put("mode", row.getString("mode"))
                .put("actor", row.getString("actor"))
                .put("state", row.getString("state"))
                .put("lines", row.getLong("lines"))
                .put("wrong", row.getLong("wrong"));
        json.set("errors", tree(row.getString("errors")));
        json.put("created", row.getLong("created"))
                .put("replaced", row.getLong("replaced"))
                .put("deleted", row.getLong("deleted"))
                .put("revision", row.getLong("revision"))
                .put("started_at", Times.of(row, "started_at").toString())
                .put("updated_at", Times.of(row, "updated_at").toString());
        return new ImportView(row.getLong("id"), state, json);
    }

    private static JsonNode tree(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
