package io.meridian.config.api;

import io.meridian.model.rules.Identifier;
import io.meridian.model.validation.Validator;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The client of a call: the identifier of its path, and what more is known of it as parameters.
 *
 * @param attributes the identifier among them
 * @param endpoint empty if it is not known
 * @param method empty if it is not known
 * @param dryRun whether nothing is to be changed
 */
record ClientQuery(
        Identifier identifier, Map<String, String> attributes, String endpoint, String method, boolean dryRun) {
    private static final String ENDPOINT = "endpoint";
    private static final String METHOD = "method";
    /** What is no attribute of a client. */
    private static final Set<String> OURS = Set.of(ENDPOINT, METHOD, Query.DRY_RUN);

    static ClientQuery of(String type, String id, UriInfo uri) {
        Set<String> names = uri.getQueryParameters().keySet();
        Query query = Query.of(uri, names);
        Validator rules = new Validator();
        Identifier identifier = new Identifier(type, id);
        Map<String, String> attributes = new TreeMap<>();
        attributes.put(identifier.type(), identifier.value());
        for (String name : names) {
            if (!OURS.contains(name)) {
                String value = query.text(name).orElse("");
                Identifier more = rules.attempt(() -> new Identifier(name, value), identifier);
                String before = attributes.putIfAbsent(more.type(), more.value());
                rules.require(
                        before == null || before.equals(more.value()),
                        name,
                        value,
                        "must be as in the path, " + before);
            }
        }
        rules.throwIfInvalid();
        return new ClientQuery(
                identifier,
                attributes,
                query.text(ENDPOINT).orElse(""),
                query.text(METHOD).orElse(""),
                query.flag(Query.DRY_RUN));
    }
}
