package io.meridian.model.policy;

import io.meridian.model.validation.Validator;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Selector of the requests to which a policy applies. An empty part matches everything; all parts must match; within a part one entry
 * must, but every header and one value of every attribute. Methods are kept in upper case and header names in lower case, in a stable
 * order.
 *
 * @param attributes the values that select, by attribute of the check
 */
public record Selector(
        List<EndpointPattern> endpoints,
        Set<String> methods,
        Set<String> tiers,
        Map<String, String> headers,
        Map<String, Set<String>> attributes,
        Set<String> regions) {
    static final int ENTRIES_MAX = 100;
    static final int HEADERS_MAX = 16;
    static final int HEADER_VALUE_MAX = 512;
    static final int ATTRIBUTES_MAX = 16;
    /** In code points, as of the values that a check may have. */
    static final int ATTRIBUTE_VALUE_MAX = 512;

    static final Pattern METHOD = Pattern.compile("[A-Z][A-Z-]{0,31}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
    /** Parts of a request with a selector of their own, and the address, which has more than one spelling. */
    private static final Set<String> NO_ATTRIBUTES = Set.of("endpoint", "method", "ip");

    private static final Pattern HEADER = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]{1,64}");

    public static final Selector EVERYTHING = new Selector(List.of(), Set.of(), Set.of(), Map.of(), Map.of(), Set.of());

    public Selector {
        Validator rules = new Validator();
        Map<String, String> lowered = new TreeMap<>();
        headers.forEach((name, value) -> {
            boolean first = lowered.put(name.toLowerCase(Locale.ROOT), value) == null;
            rules.require(first, "applies_to.headers", name, "must not name a header twice");
        });
        endpoints = List.copyOf(endpoints);
        methods = sorted(methods.stream().map(m -> m.toUpperCase(Locale.ROOT)).toList());
        tiers = sorted(tiers);
        headers = Collections.unmodifiableMap(lowered);
        regions = sorted(regions);
        Map<String, Set<String>> selected = new TreeMap<>();
        attributes.forEach((name, values) -> selected.put(name, sorted(values)));
        attributes = Collections.unmodifiableMap(selected);

        count(rules, "endpoints", endpoints.size(), ENTRIES_MAX);
        count(rules, "methods", methods.size(), ENTRIES_MAX);
        count(rules, "tiers", tiers.size(), ENTRIES_MAX);
        count(rules, "headers", headers.size(), HEADERS_MAX);
        count(rules, "regions", regions.size(), ENTRIES_MAX);
        each(rules, "methods", methods, METHOD, "must be HTTP methods");
        each(rules, "tiers", tiers, NAME, "must be names of 1 to 64 letters, digits, '.', '_', '-'");
        each(rules, "regions", regions, NAME, "must be names of 1 to 64 letters, digits, '.', '_', '-'");
        each(rules, "headers", headers.keySet(), HEADER, "must have header names of 1 to 64 token characters");
        headers.forEach((name, value) -> rules.require(
                value.length() <= HEADER_VALUE_MAX && Validator.isPlain(value),
                "applies_to.headers." + name,
                value,
                "must be text of at most " + HEADER_VALUE_MAX + " characters"));
        checkAttributes(rules, attributes);
        rules.throwIfInvalid();
    }

    private static void checkAttributes(Validator rules, Map<String, Set<String>> attributes) {
        count(rules, "attributes", attributes.size(), ATTRIBUTES_MAX);
        attributes.forEach((name, values) -> {
            String field = "attributes." + name;
            rules.require(
                            ATTRIBUTE.matcher(name).matches() && !NO_ATTRIBUTES.contains(name),
                            "applies_to.attributes",
                            name,
                            "must have names of 1 to 64 of a-z, 0-9 and _, the first a letter, other than endpoint, method and ip")
                    .require(!values.isEmpty(), "applies_to." + field, values, "must have at least one value");
            count(rules, field, values.size(), ENTRIES_MAX);
            values.forEach(value -> rules.require(
                    !value.isEmpty()
                            && value.codePointCount(0, value.length()) <= ATTRIBUTE_VALUE_MAX
                            && Validator.isPlain(value),
                    "applies_to." + field,
                    value,
                    "must be text of 1 to " + ATTRIBUTE_VALUE_MAX + " characters"));
        });
    }

    private static void count(Validator rules, String field, int size, int max) {
        rules.require(size <= max, "applies_to." + field, size, "must have at most " + max + " entries");
    }

    private static void each(Validator rules, String field, Collection<String> values, Pattern pattern, String rule) {
        values.forEach(value -> rules.require(pattern.matcher(value).matches(), "applies_to." + field, value, rule));
    }

    private static Set<String> sorted(Collection<String> values) {
        return Collections.unmodifiableSet(new TreeSet<>(values));
    }
}
