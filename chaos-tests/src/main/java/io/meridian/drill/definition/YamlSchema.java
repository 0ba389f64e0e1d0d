package io.meridian.drill.definition;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;

/** YAML format of a file, JSON included, validated by a JSON schema. The parser bounds the depth and refuses duplicate keys. */
public final class YamlSchema {
    public static final YamlSchema DRILL = new YamlSchema("/drill.schema.json");
    public static final YamlSchema TARGET = new YamlSchema("/target.schema.json");

    private static final int DEPTH_MAX = 32;
    private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final JsonSchema schema;

    private YamlSchema(String resource) {
        schema = load(resource);
    }

    public static JsonNode parse(byte[] text) throws IOException {
        return MAPPER.readTree(text);
    }

    /** All violations of the schema, each with its path and value. */
    public List<String> errors(JsonNode file) {
        return schema.validate(file).stream()
                .map(message -> new SchemaError(message).text())
                .distinct()
                .sorted()
                .toList();
    }

    private static JsonSchema load(String resource) {
        try (InputStream in = YamlSchema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + resource);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(text, InputFormat.JSON);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Violation of the schema, described by its path and value. */
    private record SchemaError(ValidationMessage message) {
        private static final int VALUE_LENGTH_MAX = 100;

        String text() {
            String place = place(message.getInstanceLocation());
            String property = message.getProperty();
            return switch (message.getType()) {
                case "required" -> at(place, property) + ": is missing";
                case "additionalProperties" -> at(place, property) + ": is not a known field";
                case "false" -> place + ": is not allowed together with the other fields, got " + value();
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

        /** Path in dot notation: {@code method[0].provider.arguments.direction}. */
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

        /** Example of the schema's pattern, because a regular expression explains little. */
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
}
