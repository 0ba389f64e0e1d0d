package io.meridian.model.match;

import io.meridian.model.policy.EndpointPath;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The question of one request: who asks, for what, at which cost. Valid by construction. */
public final class Check {
    public static final int VALUE_MAX = 512;
    static final int ENDPOINT_MAX = 2_048;
    static final int METHOD_MAX = 32;
    static final int HEADER_VALUE_MAX = 8_192;
    static final int ENTRIES_MAX = 64;
    static final int NAME_MAX = 64;
    /** The most policies that a check may name. */
    public static final int POLICIES_MAX = 32;

    private static final String ADDRESS = "ip";

    private final Map<String, String> attributes;
    private final String method;
    private final Map<String, String> headers;
    private final String tier;
    private final long cost;
    private final @Nullable IpAddress address;
    private final List<String> segments;
    private final List<String> policies;

    /** A check against every policy that matches; the parameters are those of the other constructor. */
    public Check(
            Map<String, String> attributes,
            String endpoint,
            String method,
            Map<String, String> headers,
            String tier,
            long cost) {
        this(attributes, endpoint, method, headers, tier, cost, List.of());
    }

    /**
     * @param endpoint a path; an empty one is {@code /}
     * @param headers names in any case
     * @param tier the client's tier, empty if it has none
     * @param policies the ids of the only policies to evaluate if they match; all that match if it is empty
     */
    public Check(
            Map<String, String> attributes,
            String endpoint,
            String method,
            Map<String, String> headers,
            String tier,
            long cost,
            List<String> policies) {
        Validator rules = new Validator();
        checkEntries(rules, "attributes", attributes);
        attributes.forEach((name, value) -> checkAttribute(rules, name, value));
        checkEntries(rules, "headers", headers);
        rules.require(
                        endpoint.length() <= ENDPOINT_MAX,
                        "endpoint",
                        endpoint,
                        "must have at most " + ENDPOINT_MAX + " characters")
                .require(Validator.isPlain(endpoint), "endpoint", endpoint, "must be text without control characters")
                .require(
                        method.length() <= METHOD_MAX && Validator.isPlain(method),
                        "method",
                        method,
                        "must have at most " + METHOD_MAX + " characters")
                .require(
                        tier.length() <= NAME_MAX && Validator.isPlain(tier),
                        "tier",
                        tier,
                        "must have at most " + NAME_MAX + " characters")
                .require(
                        cost >= 0 && cost <= LimitSpec.COST_MAX,
                        "cost",
                        cost,
                        "must be from 0 to " + LimitSpec.COST_MAX);
        checkPolicies(rules, policies);
        this.address = address(rules, attributes.get(ADDRESS));
        this.headers = lowerNames(rules, headers);
        rules.throwIfInvalid();
        this.attributes = Map.copyOf(attributes);
        this.segments = EndpointPath.segments(endpoint);
        this.method = method.toUpperCase(Locale.ROOT);
        this.tier = tier;
        this.cost = cost;
        this.policies = List.copyOf(policies);
    }

    private Check(Check other, String tier, List<String> policies) {
        this.attributes = other.attributes;
        this.method = other.method;
        this.headers = other.headers;
        this.tier = tier;
        this.cost = other.cost;
        this.address = other.address;
        this.segments = other.segments;
        this.policies = policies;
    }

    /** The same check by a client of this tier, which must be a valid one. */
    public Check withTier(String other) {
        return other.equals(tier) ? this : new Check(this, other, policies);
    }

    /** The same check against every policy that matches. */
    public Check withoutPolicies() {
        return new Check(this, tier, List.of());
    }

    public Map<String, String> attributes() {
        return attributes;
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

    /** The ids of the only policies that are evaluated, in the caller's order; empty if the caller named none. */
    public List<String> policies() {
        return policies;
    }

    /** Whether the check may be held against this policy: the caller named it, or named none. */
    boolean admitsPolicy(String id) {
        return policies.isEmpty() || policies.contains(id);
    }

    /** The path in its canonical segments, cut once for all patterns it is held against. */
    public List<String> segments() {
        return segments;
    }

    /** The client's address, if the check has it. */
    public @Nullable IpAddress address() {
        return address;
    }

    private static void checkPolicies(Validator rules, List<String> policies) {
        if (policies.isEmpty()) {
            return;
        }
        rules.require(
                policies.size() <= POLICIES_MAX,
                "policies",
                policies.size(),
                "must name at most " + POLICIES_MAX + " policies");
        Set<String> named = new HashSet<>();
        for (int i = 0; i < Math.min(policies.size(), POLICIES_MAX); i++) {
            String id = policies.get(i);
            rules.require(Policy.isId(id), "policies[" + i + "]", id, "must be the id of a policy")
                    .require(named.add(id), "policies[" + i + "]", id, "must not name a policy twice");
        }
    }

    private static @Nullable IpAddress address(Validator rules, @Nullable String text) {
        return text == null
                ? null
                : rules.attempt("attributes." + ADDRESS, () -> IpAddress.parse(text), IpAddress.UNSPECIFIED);
    }

    private static void checkEntries(Validator rules, String field, Map<String, String> entries) {
        rules.require(
                entries.size() <= ENTRIES_MAX, field, entries.size(), "must have at most " + ENTRIES_MAX + " entries");
        for (String name : entries.keySet()) {
            rules.require(
                    !name.isEmpty() && name.length() <= NAME_MAX && Validator.isPlain(name),
                    field,
                    name,
                    "must have names of 1 to " + NAME_MAX + " characters");
        }
    }

    /** An identifier may be in any script of the world. The field is named only for an error. */
    private static void checkAttribute(Validator rules, String name, String value) {
        boolean fits = !value.isEmpty() && value.codePointCount(0, value.length()) <= VALUE_MAX;
        boolean plain = Validator.isPlain(value);
        if (fits && plain) {
            return;
        }
        String field = "attributes." + name;
        rules.require(fits, field, value, "must have 1 to " + VALUE_MAX + " characters")
                .require(plain, field, value, "must be text without control characters or lone surrogates");
    }

    private static Map<String, String> lowerNames(Validator rules, Map<String, String> headers) {
        boolean lower = true;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            checkHeader(rules, header.getKey(), header.getValue());
            lower &= header.getKey().toLowerCase(Locale.ROOT).equals(header.getKey());
        }
        if (lower) {
            return Map.copyOf(headers);
        }
        Map<String, String> lowered = new HashMap<>();
        headers.forEach((name, value) -> {
            boolean first = lowered.put(name.toLowerCase(Locale.ROOT), value) == null;
            rules.require(first, "headers", name, "must not name a header twice");
        });
        return Map.copyOf(lowered);
    }

    private static void checkHeader(Validator rules, String name, String value) {
        if (value.length() > HEADER_VALUE_MAX || !Validator.isPlain(value)) {
            rules.require(
                    false, "headers." + name, value, "must be text of at most " + HEADER_VALUE_MAX + " characters");
        }
    }
}
