package io.meridian.stack.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.process.StartFailure;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Values of fields on the command line: the type follows from the field where a text could be taken for a number. */
final class FieldValue {
    private static final Set<String> TEXTS = Set.of(
            "id",
            "name",
            "description",
            "identifier",
            "identifier_type",
            "policy",
            "tier",
            "reason",
            "window",
            "expires_at",
            "upgrade_url");
    private static final Set<String> LISTS =
            Set.of("key", "applies_to.endpoints", "applies_to.methods", "applies_to.tiers", "applies_to.regions");
    private static final Set<String> FREE = Set.of("name", "description", "reason", "identifier");
    private static final String OF_HEADERS = "applies_to.headers.";
    private static final String OF_ATTRIBUTES = "applies_to.attributes.";
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");

    private FieldValue() {}

    static void put(ObjectNode document, String field, String value) {
        ObjectNode parent = document;
        String name = field;
        // The name of a header may have dots itself.
        int levels = field.startsWith(OF_HEADERS) || field.startsWith(OF_ATTRIBUTES) ? 2 : Integer.MAX_VALUE;
        for (int dot = name.indexOf('.'); dot > 0 && levels > 0; dot = name.indexOf('.'), levels--) {
            String outer = name.substring(0, dot);
            parent = parent.get(outer) instanceof ObjectNode object ? object : parent.putObject(outer);
            name = name.substring(dot + 1);
        }
        parent.set(name, of(field, value));
    }

    private static JsonNode of(String field, String value) {
        if (value.equals("null") && !FREE.contains(field)) {
            return NullNode.getInstance();
        } else if (TEXTS.contains(field) || field.startsWith(OF_HEADERS)) {
            return JsonNodeFactory.instance.textNode(value);
        } else if (value.startsWith("{") || value.startsWith("[")) {
            return json(field, value);
        } else if (LISTS.contains(field) || field.startsWith(OF_ATTRIBUTES)) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            if (!value.isEmpty()) {
                List.of(value.split(",", -1)).forEach(list::add);
            }
            return list;
        } else if (NUMBER.matcher(value).matches()) {
            return JsonNodeFactory.instance.numberNode(Long.parseLong(value));
        }
        return value.equals("true") || value.equals("false")
                ? JsonNodeFactory.instance.booleanNode(Boolean.parseBoolean(value))
                : JsonNodeFactory.instance.textNode(value);
    }

    private static JsonNode json(String field, String value) {
        try {
            return AdminCommand.JSON.readTree(value);
        } catch (JsonProcessingException malformed) {
            throw new StartFailure(field + " must be JSON where it begins with a bracket, got " + value, malformed);
        }
    }
}
