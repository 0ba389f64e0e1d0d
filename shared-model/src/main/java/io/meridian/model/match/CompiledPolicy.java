package io.meridian.model.match;

import io.meridian.model.algorithm.Terms;
import io.meridian.model.policy.EndpointCost;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.KeyPart;
import io.meridian.model.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy with what the hot path needs of it laid out once. */
final class CompiledPolicy {
    private final Policy policy;
    private final Terms terms;
    private final LimitKey key;
    private final List<Map.Entry<String, String>> headers;
    private final List<EndpointCost> costs;

    CompiledPolicy(Policy policy) {
        this.policy = policy;
        this.terms = policy.counting().terms();
        this.key = new LimitKey(policy.key());
        this.headers = List.copyOf(policy.appliesTo().headers().entrySet());
        this.costs = policy.counting().costs();
    }

    /** The limit of a check that the indexes found; null if it lacks what no index looked at, or names other policies. */
    @Nullable Limit limit(Check check) {
        if (!check.admitsPolicy(policy.id())) {
            return null;
        }
        for (int i = 0; i < headers.size(); i++) {
            if (!headers.get(i)
                    .getValue()
                    .equals(check.headers().get(headers.get(i).getKey()))) {
                return null;
            }
        }
        return keyed(check);
    }

    /** The limit of a client, whatever headers the policy is for; null if it is not the client's or for no such request. */
    @Nullable Limit ofClient(Check client, boolean endpointKnown) {
        List<KeyPart> parts = policy.key().parts();
        boolean own = parts.stream().anyMatch(part -> !(part instanceof KeyPart.Request))
                && hasOrIsEmpty(policy.appliesTo().tiers(), client.tier())
                && (endpointKnown ? isFor(client.segments()) : !parts.contains(KeyPart.Request.ENDPOINT))
                && (client.method().isEmpty() || hasOrIsEmpty(policy.appliesTo().methods(), client.method()));
        return own ? keyed(client) : null;
    }

    private boolean isFor(List<String> endpoint) {
        List<EndpointPattern> endpoints = policy.appliesTo().endpoints();
        return endpoints.isEmpty() || endpoints.stream().anyMatch(pattern -> pattern.matches(endpoint));
    }

    private static boolean hasOrIsEmpty(Set<String> selected, String value) {
        return selected.isEmpty() || selected.contains(value);
    }

    private @Nullable Limit keyed(Check check) {
        String text = key.of(check);
        if (text == null) {
            return null;
        }
        long unitCost = unitCost(check);
        return new Limit(policy, terms, text, check.cost() * unitCost, unitCost);
    }

    private long unitCost(Check check) {
        for (int i = 0; i < costs.size(); i++) {
            if (costs.get(i).matches(check.segments(), check.method())) {
                return costs.get(i).cost();
            }
        }
        return policy.counting().cost();
    }
}
