package io.meridian.chaos.drill.file;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.ValidationMessage;
import java.util.stream.StreamSupport;

/** One thing that is wrong with a file, told with its place and the value that stands there. */
record SchemaError(ValidationMessage message) {
    private static final int VALUE_LENGTH_MAX = 100;

    String words() {
        String place = place(message.getInstanceLocation());
        String property = message.getProperty();
        return switch (message.getType()) {
            case "required" -> at(place, property) + ": is missing";
            case "additionalProperties" -> at(place, property) + ": is not known here";
            case "false" -> place + ": does not go with the rest, got " + value();
            case "enum" -> place + ": must be one of " + list(message.getSchemaNode()) + ", got " + value();
            case "type" -> place + ": must be of type " + list(message.getSchemaNode()) + ", got " + value();
            case "pattern" -> place + ": must be like " + example() + ", got " + value();
            case "minItems", "minLength" -> place + ": must not be shorter than " + bound() + ", got " + value();
            case "maxItems", "maxLength", "maxProperties" ->
                place + ": must not be longer than " + bound() + ", got " + value();
            case "minimum" -> place + ": must be at least " + bound() + ", got " + value();
            case "maximum" -> place + ": must be at most " + bound() + ", got " + value();
            case "exclusiveMinimum" -> place + ": must be above " + bound() + ", got " + value();
            default -> place + ": " + message.getError() + ", got " + value();
        };
    }

    /** As a programmer would write it: {@code method[0].provider.arguments.direction}. */
    private static String place(JsonNodePath path) {
        StringBuilder place = new StringBuilder();
        for (int i = 0; i < path.getNameCount(); i++) {
            Object element = path.getElement(i);
            if (element instanceof Integer) {
                place.append('[').append(element).append(']');
            } else {
                place.append(place.isEmpty() ? "" : ".").append(element);
            }
        }
        return place.isEmpty() ? "the file" : place.toString();
    }

    private static String at(String place, String property) {
        return place.equals("the file") ? property : place + "." + property;
    }

    private String value() {
        JsonNode node = message.getInstanceNode();
        String text = node == null ? "nothing" : node.toString();
        return text.length() > VALUE_LENGTH_MAX ? text.substring(0, VALUE_LENGTH_MAX) + "…" : text;
    }

    private String bound() {
        return message.getSchemaNode().asText();
    }

    private static String list(JsonNode allowed) {
        return allowed.isArray()
                ? StreamSupport.stream(allowed.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(joining(", "))
                : allowed.asText();
    }

    /** A pattern is for machines. */
    private String example() {
        String pattern = message.getSchemaNode().asText();
        if (pattern.contains("(ms|s|m)")) {
            return "300ms, 5s or 2m";
        }
        if (pattern.contains("(s|m)")) {
            return "5s or 1m";
        }
        return pattern.contains("kbps") ? "100kbps" : "1.0.0";
    }
}
