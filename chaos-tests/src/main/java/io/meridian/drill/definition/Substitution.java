package io.meridian.drill.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Substitution of {@code ${name}} by the values of a drill file's configuration, or of environment variables that it names. */
final class Substitution {
    private static final Pattern NAME = Pattern.compile("\\$\\{([A-Za-z0-9_.-]{1,100})}");

    private final JsonNode configuration;
    private final Map<String, String> environment;
    private final List<String> errors = new ArrayList<>();

    Substitution(JsonNode configuration, Map<String, String> environment) {
        this.configuration = configuration;
        this.environment = environment;
    }

    /** References that could not be resolved. */
    List<String> errors() {
        return errors;
    }

    JsonNode in(JsonNode node, String place) {
        if (node.isTextual()) {
            return TextNode.valueOf(NAME.matcher(node.asText())
                    .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), place))));
        }
        if (node instanceof ObjectNode object) {
            ObjectNode filled = object.objectNode();
            object.properties()
                    .forEach(field -> filled.set(field.getKey(), in(field.getValue(), place + "." + field.getKey())));
            return filled;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode filled = array.arrayNode();
            for (int i = 0; i < array.size(); i++) {
                filled.add(in(array.get(i), place + "[" + i + "]"));
            }
            return filled;
        }
        return node;
    }

    private String value(String name, String place) {
        JsonNode given = configuration.path(name);
        if (given.isMissingNode()) {
            errors.add(place + ": ${" + name + "} is not in the configuration");
            return "";
        }
        if (!given.isObject()) {
            return given.asText();
        }
        String value = environment.get(given.path("key").asText());
        if (value == null && !given.has("default")) {
            errors.add("configuration." + name + ": the environment has no "
                    + given.path("key").asText());
            return "";
        }
        return value == null ? given.path("default").asText() : value;
    }
}
