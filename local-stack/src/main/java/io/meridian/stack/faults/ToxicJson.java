package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.stack.faults.Toxic.Direction;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A toxic as the API shows it and as a request asks for it. */
final class ToxicJson {
    private static final Set<String> FIELDS = Set.of("name", "type", "stream", "toxicity", "attributes");

    private ToxicJson() {}

    static Toxic readNew(JsonNode body) {
        RequestFields fields = new RequestFields(body);
        fields.requireOnly(FIELDS);
        String type = fields.text("type");
        Direction direction = Direction.ofWireName(fields.text("stream", Direction.DOWNSTREAM.wireName()));
        return new Toxic(
                fields.text("name", type + "_" + direction.wireName()),
                direction,
                fields.number("toxicity", 1.0),
                fault(type, attributes(body)));
    }

    /** Wanted toxic: the present one, except for what the body names. */
    static Toxic readChange(JsonNode body, Toxic existing) {
        RequestFields fields = new RequestFields(body);
        fields.requireOnly(FIELDS);
        fields.requireSame("name", existing.name());
        fields.requireSame("type", existing.effect().type());
        fields.requireSame("stream", existing.direction().wireName());
        ObjectNode attributes = attributes(existing.effect());
        attributes.setAll((ObjectNode) attributes(body).node());
        return new Toxic(
                existing.name(),
                existing.direction(),
                fields.number("toxicity", existing.toxicity()),
                fault(existing.effect().type(), new RequestFields(attributes)));
    }

    static ArrayNode write(List<Toxic> toxics) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        toxics.forEach(toxic -> array.add(write(toxic)));
        return array;
    }

    static ObjectNode write(Toxic toxic) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("name", toxic.name())
                .put("type", toxic.effect().type())
                .put("stream", toxic.direction().wireName())
                .put("toxicity", toxic.toxicity());
        node.set("attributes", attributes(toxic.effect()));
        return node;
    }

    private static ObjectNode attributes(ToxicEffect fault) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        fault.attributes().forEach(node::put);
        return node;
    }

    private static RequestFields attributes(JsonNode body) {
        JsonNode given = body.path("attributes");
        if (given.isMissingNode() || given.isNull()) {
            return new RequestFields(JsonNodeFactory.instance.objectNode());
        }
        if (!given.isObject()) {
            throw new IllegalArgumentException("attributes must be an object, got " + given);
        }
        return new RequestFields(given);
    }

    private static ToxicEffect fault(String type, RequestFields attributes) {
        ToxicEffect fault =
                switch (type) {
                    case "latency" ->
                        new ToxicEffect.Latency(
                                attributes.wholeNumber("latency", 0), attributes.wholeNumber("jitter", 0));
                    case "timeout" -> new ToxicEffect.Timeout(attributes.wholeNumber("timeout", 0));
                    case "reset_peer" -> new ToxicEffect.ResetPeer(attributes.wholeNumber("timeout", 0));
                    case "bandwidth" -> new ToxicEffect.Bandwidth(attributes.wholeNumber("rate", 0));
                    case "slow_close" -> new ToxicEffect.SlowClose(attributes.wholeNumber("delay", 0));
                    default ->
                        throw new IllegalArgumentException(
                                "type must be latency, timeout, reset_peer, bandwidth or slow_close, got " + type);
                };
        attributes.requireOnly(fault.attributes().keySet());
        return fault;
    }

    /** The fields of a JSON object, read with errors that name field and value. */
    record RequestFields(JsonNode node) {
        RequestFields {
            if (!node.isObject()) {
                throw new IllegalArgumentException("body must be an object, got " + node);
            }
        }

        String text(String field) {
            JsonNode value = node.path(field);
            if (value.isMissingNode() || value.isNull()) {
                throw new IllegalArgumentException("missing required field: " + field);
            }
            return text(field, "");
        }

        String text(String field, String otherwise) {
            JsonNode value = node.path(field);
            require(field, value, value.isTextual(), "a string");
            return value.asText(otherwise);
        }

        boolean flag(String field, boolean otherwise) {
            JsonNode value = node.path(field);
            require(field, value, value.isBoolean(), "true or false");
            return value.asBoolean(otherwise);
        }

        double number(String field, double otherwise) {
            JsonNode value = node.path(field);
            require(field, value, value.isNumber(), "a number");
            return value.asDouble(otherwise);
        }

        long wholeNumber(String field, long otherwise) {
            JsonNode value = node.path(field);
            require(field, value, value.isIntegralNumber() && value.canConvertToLong(), "a whole number");
            return value.asLong(otherwise);
        }

        void requireSame(String field, String existing) {
            String value = text(field, existing);
            if (!value.equals(existing)) {
                throw new IllegalArgumentException(field + " must stay " + existing + ", got " + value);
            }
        }

        /** Refuses a misspelt field, which would otherwise be a fault that silently does not happen. */
        void requireOnly(Set<String> known) {
            for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                if (!known.contains(name)) {
                    throw new IllegalArgumentException("unknown field " + name + ", got " + node.get(name));
                }
            }
        }

        private static void require(String field, JsonNode value, boolean fits, String kind) {
            if (!fits && !value.isMissingNode() && !value.isNull()) {
                throw new IllegalArgumentException(field + " must be " + kind + ", got " + value);
            }
        }
    }
}
