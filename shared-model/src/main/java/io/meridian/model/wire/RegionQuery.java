package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.match.Check;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Query of config-service to every region about a client or a check, or for a reset of a client. Valid by construction: it can be matched.
 *
 * @param attributes what is known of the client: {@code user_id}, {@code ip}, …
 * @param endpoint for limits that count by endpoint; empty if it is not known
 * @param method for limits that count by method; empty if it is not known
 * @param request what a check has besides; {@link Request#NONE} of a query about a client
 * @param requestedMicros config-service's wall clock at the query
 * @param expiresMicros config-service's wall clock from which on the query is ignored
 */
public record RegionQuery(
        String id,
        Kind kind,
        Map<String, String> attributes,
        String endpoint,
        String method,
        Request request,
        long requestedMicros,
        long expiresMicros) {
    public static final int ID_MAX = 64;

    /** Kinds of queries. */
    public enum Kind {
        /** Report how the client's limits stand. */
        STATUS,
        /** Reset them, then report how they stand. */
        RESET,
        /** Report how the limits of one check stand. */
        CHECK
    }

    /**
     * Part of a check that does not belong to the client.
     *
     * @param policies the ids of the only policies to evaluate; all that match if it is empty
     */
    public record Request(Map<String, String> headers, List<String> policies, long cost) {
        public static final Request NONE = new Request(Map.of(), List.of(), 0);

        public Request {
            headers = Map.copyOf(headers);
            policies = List.copyOf(policies);
        }
    }

    /** A query about a client. */
    public RegionQuery(
            String id,
            Kind kind,
            Map<String, String> attributes,
            String endpoint,
            String method,
            long requestedMicros,
            long expiresMicros) {
        this(id, kind, attributes, endpoint, method, Request.NONE, requestedMicros, expiresMicros);
    }

    public RegionQuery {
        Validator rules = new Validator();
        rules.requireName("id", id, ID_MAX);
        rules.require(kind == Kind.CHECK || !attributes.isEmpty(), "attributes", attributes, "must name the client")
                .require(
                        expiresMicros > requestedMicros,
                        "expiresMicros",
                        expiresMicros,
                        "must be after requestedMicros " + requestedMicros)
                .throwIfInvalid();
        attributes = Map.copyOf(attributes);
        check(attributes, endpoint, method, request);
    }

    /** The check, or the client as a check without a cost. */
    public Check check() {
        return check(attributes, endpoint, method, request);
    }

    private static Check check(Map<String, String> attributes, String endpoint, String method, Request request) {
        return new Check(attributes, endpoint, method, request.headers(), "", request.cost(), request.policies());
    }

    /** The record as JSON. */
    public String encode() {
        ObjectNode record = JsonFields.newRecord().put("id", id).put("kind", EnumNames.text(kind));
        ObjectNode client = record.putObject("attributes");
        new TreeMap<>(attributes).forEach(client::put);
        record.put("endpoint", endpoint).put("method", method);
        if (kind == Kind.CHECK) {
            ObjectNode headers = record.putObject("headers");
            new TreeMap<>(request.headers()).forEach(headers::put);
            request.policies().forEach(record.putArray("policies")::add);
            record.put("cost", request.cost());
        }
        return record.put("asked_micros", requestedMicros)
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
                    new Request(
                            fields.texts("headers"),
                            fields.list("policies", Function.identity()),
                            fields.number("cost", 0)),
                    fields.number("asked_micros", 0),
                    fields.number("expires_micros", 0));
        });
    }
}
