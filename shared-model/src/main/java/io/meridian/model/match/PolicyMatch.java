package io.meridian.model.match;

import io.meridian.model.policy.EndpointPath;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of one policy with one check, selector by selector. It finds the limit exactly where {@link PolicyIndex} does, and
 * otherwise states every selector that the check does not meet; it is not for the path of a check.
 *
 * @param limit the limit of the check; empty if the policy does not apply
 * @param mismatches what the check does not meet; empty if the policy applies
 */
public record PolicyMatch(Policy policy, Optional<Limit> limit, List<Mismatch> mismatches) {
    public PolicyMatch {
        mismatches = List.copyOf(mismatches);
    }

    /** Parts of a policy that a check may fail to meet. */
    public enum Part {
        /** The policy is disabled. */
        DISABLED,
        REGION,
        /** The check names other policies. */
        NAMED,
        ENDPOINT,
        METHOD,
        TIER,
        HEADER,
        /** An attribute of applies_to. */
        ATTRIBUTE,
        /** A part of the key that the check lacks. */
        KEY
    }

    /**
     * Part that is not met.
     *
     * @param name of the header or the attribute; empty for other parts
     * @param expected the values of which the check needs one; empty if any value will do
     * @param actual the value of the check; null if it has none
     */
    public record Mismatch(
            Part part,
            String name,
            List<String> expected,
            @Nullable String actual) {
        public Mismatch {
            expected = List.copyOf(expected);
        }
    }

    /**
     * Compares a policy with a check.
     *
     * @param region where the check is made; empty if policies of every region are compared
     */
    public static PolicyMatch of(Policy policy, Check check, Optional<String> region) {
        List<Mismatch> mismatches = new ArrayList<>();
        Selector selector = policy.appliesTo();
        if (!policy.enabled()) {
            mismatches.add(new Mismatch(Part.DISABLED, "", List.of("true"), "false"));
        }
        region.ifPresent(name -> requireOne(mismatches, Part.REGION, selector.regions(), name));
        if (!check.admitsPolicy(policy.id())) {
            mismatches.add(new Mismatch(Part.NAMED, "", check.policies(), policy.id()));
        }
        List<EndpointPattern> endpoints = selector.endpoints();
        if (!endpoints.isEmpty() && endpoints.stream().noneMatch(pattern -> pattern.matches(check.segments()))) {
            mismatches.add(new Mismatch(
                    Part.ENDPOINT,
                    "",
                    endpoints.stream().map(EndpointPattern::text).toList(),
                    EndpointPath.text(check.segments())));
        }
        requireOne(mismatches, Part.METHOD, selector.methods(), check.method());
        requireOne(mismatches, Part.TIER, selector.tiers(), check.tier());
        selector.headers().forEach((name, value) -> {
            String actual = check.headers().get(name);
            if (!value.equals(actual)) {
                mismatches.add(new Mismatch(Part.HEADER, name, List.of(value), actual));
            }
        });
        compareAttributes(mismatches, selector.attributes(), check);
        compareKey(mismatches, policy, check);
        Optional<Limit> limit =
                mismatches.isEmpty() ? Optional.ofNullable(new CompiledPolicy(policy).limit(check)) : Optional.empty();
        return new PolicyMatch(policy, limit, mismatches);
    }

    private static void requireOne(List<Mismatch> mismatches, Part part, Collection<String> expected, String actual) {
        if (!expected.isEmpty() && !expected.contains(actual)) {
            mismatches.add(new Mismatch(part, "", List.copyOf(expected), actual.isEmpty() ? null : actual));
        }
    }

    private static void compareAttributes(List<Mismatch> mismatches, Map<String, Set<String>> selected, Check check) {
        selected.forEach((name, values) -> {
            String actual = check.attributes().get(name);
            if (actual == null || !values.contains(actual)) {
                mismatches.add(new Mismatch(Part.ATTRIBUTE, name, List.copyOf(values), actual));
            }
        });
    }

    private static void compareKey(List<Mismatch> mismatches, Policy policy, Check check) {
        for (KeyPart part : policy.key().parts()) {
            boolean present = part instanceof KeyPart.Request
                    ? part == KeyPart.Request.ENDPOINT || !check.method().isEmpty()
                    : check.attributes().containsKey(part.attribute());
            if (!present) {
                mismatches.add(new Mismatch(Part.KEY, part.attribute(), List.of(), null));
            }
        }
    }
}
