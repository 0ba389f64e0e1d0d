package io.meridian.model.match;

import io.meridian.model.policy.Counting;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.rule.Rules;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The question of one request: who asks, for what, at which cost. Valid by construction. */
public final class Check {
    public static final int VALUE_MAX = 512;
    static final int ENDPOINT_MAX = 2_048;
    static final int METHOD_MAX = 32;
    static final int ENTRIES_MAX = 64;
    static final int NAME_MAX = 64;
    private static final String ADDRESS = "ip";

    private final Map<String, String> attributes;
    private final String endpoint;
    private final String method;
    private final Map<String, String> headers;
    private final String tier;
    private final long cost;
    private final @Nullable IpAddress address;
    private final String[] segments;

    /**
     * @param endpoint a path; what follows ? or # does not count
     * @param headers names in any case
     * @param tier the client's tier, empty if it has none
     */
    public Check(
            Map<String, String> attributes,
            String endpoint,
            String method,
            Map<String, String> headers,
            String tier,
            long cost) {
        Rules rules = new Rules();
        checkEntries(rules, "attributes", attributes);
        attributes.forEach((name, value) -> checkKey(rules, "attributes." + name, value));
        checkEntries(rules, "headers", headers);
        rules.require(
                        endpoint.length() <= ENDPOINT_MAX,
                        "endpoint",
                        endpoint,
                        "must have at most " + ENDPOINT_MAX + " characters")
                .require(isText(endpoint), "endpoint", endpoint, "must be text without control characters")
                .require(
                        method.length() <= METHOD_MAX && isText(method),
                        "method",
                        method,
                        "must have at most " + METHOD_MAX + " characters")
                .require(
                        cost >= 0 && cost <= Counting.COST_MAX, "cost", cost, "must be from 0 to " + Counting.COST_MAX);
        this.address = address(rules, attributes.get(ADDRESS));
        rules.throwIfBroken();
        this.attributes = Map.copyOf(attributes);
        String path = path(endpoint);
        this.segments = EndpointPattern.segments(path).toArray(String[]::new);
        this.endpoint = path.isEmpty() ? path : EndpointPattern.normalized(path);
        this.method = method.toUpperCase(Locale.ROOT);
        this.headers = lowerNames(headers);
        this.tier = tier;
        this.cost = cost;
    }

    public Map<String, String> attributes() {
        return attributes;
    }

    /** The path, without slashes that do not count; empty if the request named none. */
    public String endpoint() {
        return endpoint;
    }

    public String method() {
        return method;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public String tier() {
        return tier;
    }

    public long cost() {
        return cost;
    }

    /** The path cut into segments, once for all patterns it is held against. Not to be changed. */
    String[] segments() {
        return segments;
    }

    @Nullable IpAddress address() {
        return address;
    }

    private static @Nullable IpAddress address(Rules rules, @Nullable String text) {
        return text == null
                ? null
                : rules.attempt("attributes." + ADDRESS, () -> IpAddress.parse(text), IpAddress.UNSPECIFIED);
    }

    private static void checkEntries(Rules rules, String field, Map<String, String> entries) {
        rules.require(
                entries.size() <= ENTRIES_MAX, field, entries.size(), "must have at most " + ENTRIES_MAX + " entries");
        for (String name : entries.keySet()) {
            rules.require(
                    !name.isEmpty() && name.length() <= NAME_MAX && isText(name),
                    field,
                    name,
                    "must have names of 1 to " + NAME_MAX + " characters");
        }
    }

    /** An identifier may be in any script of the world, but must be one that every store keeps apart. */
    private static void checkKey(Rules rules, String field, String value) {
        rules.require(
                        !value.isEmpty() && value.codePointCount(0, value.length()) <= VALUE_MAX,
                        field,
                        value,
                        "must have 1 to " + VALUE_MAX + " characters")
                .require(isText(value), field, value, "must be text without control characters or lone surrogates");
    }

    /** Half a surrogate pair has no UTF-8 form: encoders replace it, and two keys would become one. */
    private static boolean isText(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                boolean pair = i + 1 < value.length() && Character.isSurrogatePair(c, value.charAt(i + 1));
                if (!pair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static String path(String endpoint) {
        for (int i = 0; i < endpoint.length(); i++) {
            if (endpoint.charAt(i) == '?' || endpoint.charAt(i) == '#') {
                return endpoint.substring(0, i);
            }
        }
        return endpoint;
    }

    private static Map<String, String> lowerNames(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return Map.of();
        }
        Map<String, String> lowered = new HashMap<>();
        headers.forEach((name, value) -> lowered.put(name.toLowerCase(Locale.ROOT), value));
        return Map.copyOf(lowered);
    }
}
