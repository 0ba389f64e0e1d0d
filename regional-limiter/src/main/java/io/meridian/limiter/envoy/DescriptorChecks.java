package io.meridian.limiter.envoy;

import io.meridian.limiter.envoy.v3.RateLimitDescriptor;
import io.meridian.limiter.envoy.v3.RateLimitDescriptor.Entry;
import io.meridian.limiter.envoy.v3.RateLimitRequest;
import io.meridian.model.match.Check;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Mapping of rate limit descriptors to checks. Each descriptor is one check. {@code path} is the endpoint without its query,
 * {@code method} the method, {@code header:NAME} a header, {@code remote_address} the attribute {@code ip}, and every other entry the
 * attribute of its name; the domain is the attribute {@code domain} of all of them. A limit that a descriptor asks for is not applied.
 *
 * <p>Bounds: 1 to {@value #DESCRIPTORS_MAX} descriptors, 1 to {@value #ENTRIES_MAX} entries each, texts as long as a {@link Check} takes
 * them. A request above a bound is refused as a whole, before anything is charged.
 */
final class DescriptorChecks {
    static final int DESCRIPTORS_MAX = 100;
    static final int ENTRIES_MAX = 32;

    private static final String DOMAIN = "domain";
    private static final String PATH = "path";
    private static final String METHOD = "method";
    private static final String HEADER = "header:";
    private static final String REMOTE_ADDRESS = "remote_address";
    private static final String IP = "ip";
    private static final String HITS_ADDEND = "hits_addend";

    private static final String COST_RULE = "must be from 0 to " + LimitSpec.COST_MAX;

    private DescriptorChecks() {}

    /**
     * The checks of a request's descriptors, in their order.
     *
     * @throws ValidationException with every field that breaks a rule
     */
    static List<Check> of(RateLimitRequest request) {
        String domain = request.getDomain();
        int count = request.getDescriptorsCount();
        long cost = Integer.toUnsignedLong(request.getHitsAddend());
        new Validator()
                .requireName(DOMAIN, domain, Check.VALUE_MAX)
                .require(
                        count >= 1 && count <= DESCRIPTORS_MAX,
                        "descriptors",
                        count,
                        "must have 1 to " + DESCRIPTORS_MAX + " elements")
                .require(cost <= LimitSpec.COST_MAX, HITS_ADDEND, cost, COST_RULE)
                .throwIfInvalid();
        List<Check> checks = new ArrayList<>(count);
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try {
                checks.add(check(domain, request.getDescriptors(i), Math.max(1, cost)));
            } catch (ValidationException invalid) {
                String descriptor = "descriptors[" + i + "].";
                invalid.errors()
                        .forEach(each ->
                                errors.add(new FieldError(descriptor + each.field(), each.value(), each.rule())));
            }
        }
        if (!errors.isEmpty()) {
            throw new ValidationException(errors);
        }
        return checks;
    }

    private static Check check(String domain, RateLimitDescriptor descriptor, long requestCost) {
        int count = descriptor.getEntriesCount();
        if (count < 1 || count > ENTRIES_MAX) {
            throw Validator.invalid("entries", count, "must have 1 to " + ENTRIES_MAX + " elements");
        }
        Map<String, String> attributes = new HashMap<>();
        Map<String, String> headers = new HashMap<>();
        String path = null;
        String method = null;
        attributes.put(DOMAIN, domain);
        for (int i = 0; i < count; i++) {
            Entry entry = descriptor.getEntries(i);
            String key = entry.getKey();
            String value = entry.getValue();
            String before;
            switch (key) {
                case PATH -> {
                    before = path;
                    path = withoutQuery(value);
                }
                case METHOD -> {
                    before = method;
                    method = value;
                }
                case REMOTE_ADDRESS -> before = attributes.put(IP, value);
                default ->
                    before = key.startsWith(HEADER)
                            ? headers.put(key.substring(HEADER.length()), value)
                            : attributes.put(key, value);
            }
            if (before != null) {
                throw Validator.invalid("entries[" + i + "].key", key, "must not say twice what the check has once");
            }
        }
        return check(
                attributes, path == null ? "" : path, method == null ? "" : method, headers, descriptor, requestCost);
    }

    private static Check check(
            Map<String, String> attributes,
            String path,
            String method,
            Map<String, String> headers,
            RateLimitDescriptor descriptor,
            long requestCost) {
        long cost = descriptor.hasHitsAddend() ? descriptor.getHitsAddend().getValue() : requestCost;
        if (cost < 0 || cost > LimitSpec.COST_MAX) {
            throw Validator.invalid(HITS_ADDEND, Long.toUnsignedString(cost), COST_RULE);
        }
        try {
            return new Check(attributes, path, method, headers, "", cost);
        } catch (ValidationException invalid) {
            throw new ValidationException(invalid.errors().stream()
                    .map(each -> new FieldError(entry(each.field(), descriptor), each.value(), each.rule()))
                    .toList());
        }
    }

    /** A path as Envoy has it in {@code :path}: what follows it does not choose a policy, and may be long. */
    private static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    /** The entry by which the caller knows a field of the check. */
    private static String entry(String field, RateLimitDescriptor descriptor) {
        String key =
                switch (field) {
                    case "endpoint" -> PATH;
                    case "attributes", "headers" -> "";
                    default -> field.substring(field.indexOf('.') + 1);
                };
        if (field.startsWith("headers.")) {
            key = HEADER + key;
        } else if (key.equals(IP) && has(descriptor, REMOTE_ADDRESS)) {
            key = REMOTE_ADDRESS;
        }
        return key.isEmpty() ? "entries" : "entries." + key;
    }

    private static boolean has(RateLimitDescriptor descriptor, String key) {
        return descriptor.getEntriesList().stream()
                .anyMatch(each -> each.getKey().equals(key));
    }
}
