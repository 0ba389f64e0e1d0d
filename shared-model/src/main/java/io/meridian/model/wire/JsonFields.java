package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one JSON object. A field that cannot be read is kept as an error and read as its default, so
 * that one pass finds everything that is wrong.
 *
 * @param path what to put before a field's name to name it from the top
 * @param unknown where fields that do not exist are collected
 */
record JsonFields(JsonNode node, String path, Validator rules, List<String> unknown) {
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    /** A new JSON record, with the version of its format first. */
    static ObjectNode newRecord() {
        return JsonNodeFactory.instance.objectNode().put(FORMAT, VERSION);
    }

    /** The JSON of a record, whose version this build knows; a {@link WireException} if it does not. */
    static JsonNode record(String what, String text) {
        JsonNode record = PolicyJson.tree(text);
        int version = record.path(FORMAT).asInt(0);
        if (version < 1 || version > VERSION) {
            throw new WireException(what + " format must be from 1 to " + VERSION + ", got " + record.path(FORMAT));
        }
        return record;
    }

    /** Reads a record; fields that the reader does not know are ignored. A {@link WireException} says why it cannot be read. */
    static <T> T decode(String what, String text, Function<JsonFields, T> reader) {
        try {
            JsonFields fields = new JsonFields(record(what, text), "", new Validator(), new ArrayList<>());
            T read = reader.apply(fields);
            fields.rules().throwIfInvalid();
            return read;
        } catch (ValidationException | MalformedException unreadable) {
            throw new WireException(what + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /** Notes every field that is none of {@code known}. */
    JsonFields allow(Set<String> known) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                unknown.add(path + name);
            }
        });
        return this;
    }

    void require(String... fields) {
        for (String field : fields) {
            rules.require(get(field) != null, path + field, "nothing", "is required");
        }
    }

    String text(String field, String otherwise) {
        return read(field, JsonNode::isTextual, "must be a text", JsonNode::textValue, otherwise);
    }

    boolean flag(String field, boolean otherwise) {
        return read(field, JsonNode::isBoolean, "must be true or false", JsonNode::booleanValue, otherwise);
    }

    long number(String field, long otherwise) {
        Predicate<JsonNode> whole = value -> value.isIntegralNumber() && value.canConvertToLong();
        return read(field, whole, "must be a whole number of at most 64 bits", JsonNode::longValue, otherwise);
    }

    int smallNumber(String field, int otherwise) {
        Predicate<JsonNode> whole = value -> value.isIntegralNumber() && value.canConvertToInt();
        return read(field, whole, "must be a whole number of at most 32 bits", JsonNode::intValue, otherwise);
    }

    /**
     * One of a few names.
     *
     * @param unreadable what stands in for any other name, chosen so that it breaks no rule by itself
     */
    <E extends Enum<E>> E choice(String field, Class<E> type, E absent, E unreadable) {
        JsonNode value = get(field);
        if (value == null) {
            return absent;
        }
        return EnumNames.find(type, value.asText()).orElseGet(() -> {
            refuse(field, value, "must be one of " + EnumNames.list(type));
            return unreadable;
        });
    }

    /** A text in a form of its own. */
    <T> T parsed(String field, Function<String, T> parser, T otherwise) {
        JsonNode value = get(field);
        List<T> parsed = value == null ? List.of() : parse(field, value, parser);
        return parsed.isEmpty() ? otherwise : parsed.get(0);
    }

    <T> List<T> list(String field, Function<String, T> parser) {
        List<T> items = new ArrayList<>();
        items(field).forEach(item -> items.addAll(parse(field, item, parser)));
        return items;
    }

    Map<String, String> texts(String field) {
        Map<String, String> texts = new LinkedHashMap<>();
        object(field).ifPresent(object -> object.node.properties().forEach(entry -> {
            if (entry.getValue().isTextual()) {
                texts.put(entry.getKey(), entry.getValue().textValue());
            } else {
                object.refuse(entry.getKey(), entry.getValue(), "must be a text");
            }
        }));
        return texts;
    }

    Optional<JsonFields> object(String field) {
        JsonNode value = get(field);
        return value == null ? Optional.empty() : asObject(field, value);
    }

    List<JsonFields> objects(String field) {
        List<JsonFields> objects = new ArrayList<>();
        items(field).forEach(item -> asObject(field, item).ifPresent(objects::add));
        return objects;
    }

    private Optional<JsonFields> asObject(String field, JsonNode value) {
        if (!value.isObject()) {
            refuse(field, value, "must be an object");
            return Optional.empty();
        }
        return Optional.of(new JsonFields(value, path + field + ".", rules, unknown));
    }

    private Iterable<JsonNode> items(String field) {
        JsonNode value = get(field);
        if (value != null && !value.isArray()) {
            refuse(field, value, "must be a list");
        }
        return value == null || !value.isArray() ? List.of() : value;
    }

    private <T> List<T> parse(String field, JsonNode value, Function<String, T> parser) {
        if (!value.isTextual()) {
            refuse(field, value, "must be a text");
            return List.of();
        }
        return rules.attempt(path + field, () -> List.of(parser.apply(value.textValue())), List.of());
    }

    private <T> T read(String field, Predicate<JsonNode> fits, String rule, Function<JsonNode, T> reader, T otherwise) {
        JsonNode value = get(field);
        if (value == null) {
            return otherwise;
        }
        if (!fits.test(value)) {
            refuse(field, value, rule);
            return otherwise;
        }
        return reader.apply(value);
    }

    private @Nullable JsonNode get(String field) {
        JsonNode value = node.get(field);
        return value == null || value.isNull() ? null : value;
    }

    private void refuse(String field, JsonNode value, String rule) {
        rules.require(false, path + field, value.isTextual() ? value.textValue() : value, rule);
    }
}
