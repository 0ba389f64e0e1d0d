package io.meridian.model.wire;

import io.meridian.model.match.Check;
import io.meridian.model.validation.Validator;
import java.util.Map;

/**
 * What the centre asks every limiter about a client, or to do for it. Valid by construction: what is asked can be matched.
 *
 * @param attributes what is known of the client: {@code user_id}, {@code ip}, …
 * @param endpoint for limits that count by endpoint; empty if it is not known
 * @param method for limits that count by method; empty if it is not known
 * @param expiresMicros the centre's wall clock from which on nobody is to answer
 */
public record RegionQuery(
        String id,
        Kind kind,
        Map<String, String> attributes,
        String endpoint,
        String method,
        long askedMicros,
        long expiresMicros) {
    public static final int ID_MAX = 64;

    /** What is wanted. */
    public enum Kind {
        /** How the client's limits stand. */
        STATUS,
        /** That they be forgotten; then how they stand. */
        RESET
    }

    public RegionQuery {
        Validator rules = new Validator();
        WireNames.check(rules, "id", id, ID_MAX);
        rules.require(!attributes.isEmpty(), "attributes", attributes, "must name the client")
                .require(
                        expiresMicros > askedMicros,
                        "expiresMicros",
                        expiresMicros,
                        "must be after askedMicros " + askedMicros)
                .throwIfBroken();
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
}
