package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.match.Check;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Query of config-service to every region about a client, or for a reset of it. Valid by construction: the client can be matched.
 *
 * @param attributes what is known of the client: {@code user_id}, {@code ip}, …
 * @param endpoint for limits that count by endpoint; empty if it is not known
 * @param method for limits that count by method; empty if it is not known
 * @param requestedMicros config-service's wall clock at the query
 * @param expiresMicros config-service's wall clock from which on the query is ignored
 */
public record RegionQuery(
        String id,
        Kind kind,
        Map<String, String> attributes,
        String endpoint,
        String method,
        long requestedMicros,
        long expiresMicros) {
    public static final int ID_MAX = 64;

    /** Kinds of queries. */
    public enum Kind {
        /** Report how the client's limits stand. */
        STATUS,
        /** Reset them, then report how they stand. */
        RESET
    }

    public RegionQuery {
        Validator rules = new Validator();
        rules.requireName("id", id, ID_MAX);
        rules.require(!attributes.isEmpty(), "attributes", attributes, "must name the client")
                .require(
                        expiresMicros > requestedMicros,
                        "expiresMicros",
                        expiresMicros,
                        "must be after requestedMicros " + requestedMicros)
                .throwIfInvalid();
        attributes = Map.copyOf(attributes);
        check(attributes, endpoint, method);
    }

    /** The client as a check without a cost. */
    public Check check() {
        return check(attributes, endpoint, method);
    }

    private static Check check(Map<String, String> attributes, String endpoint, String method) {
        return new Check(attributes, endpoint, method, Map.of(), "", 0);
    }

    /** The record as JSON. */
    public String encode() {
        ObjectNode record = JsonFields.newRecord().put("id", id).put("kind", EnumNames.text(kind));
        ObjectNode client = record.putObject("attributes");
        new TreeMap<>(attributes).forEach(client::put);
        return record.put("endpoint", endpoint)
                .put("method", method)
                .put("asked_micros", requestedMicros)
                .put("expires_micros", expiresMicros)
                .toString();
    }

    public static RegionQuery decode(String text) {
        return JsonFields.decode("question", text, fields -> {
            fields.require("id", "kind", "attributes", "asked_micros", "expires_micros");
            Kind kind = fields.choice("kind", Kind.class, Kind.STATUS, Kind.STATUS);
            fields.rules().throwIfInvalid();
            return new RegionQuery(
                    fields.text("id", ""),
                    kind,
                    fields.texts("attributes"),
                    fields.text("endpoint", ""),
                    fields.text("method", ""),
                    fields.number("asked_micros", 0),
                    fields.number("expires_micros", 0));
        });
    }
}
