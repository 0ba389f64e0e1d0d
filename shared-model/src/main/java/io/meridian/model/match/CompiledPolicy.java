package io.meridian.model.match;

import io.meridian.model.algorithm.Quota;
import io.meridian.model.policy.EndpointPath;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.IpAddress;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.KeySpec.KeyPart;
import io.meridian.model.policy.LimitSpec.EndpointCost;
import io.meridian.model.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy with what the hot path needs of it laid out once. */
final class CompiledPolicy {
    private final Policy policy;
    private final Quota quota;
    private final KeyBuilder key;
    private final List<Map.Entry<String, String>> headers;
    private final List<Map.Entry<String, Set<String>>> attributes;
    private final List<EndpointCost> costs;

    CompiledPolicy(Policy policy) {
        this.policy = policy;
        this.quota = policy.limitSpec().quota();
        this.key = new KeyBuilder(policy.key());
        this.headers = List.copyOf(policy.appliesTo().headers().entrySet());
        this.attributes = List.copyOf(policy.appliesTo().attributes().entrySet());
        this.costs = policy.limitSpec().costs();
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
        for (int i = 0; i < attributes.size(); i++) {
            String value = check.attributes().get(attributes.get(i).getKey());
            if (value == null || !attributes.get(i).getValue().contains(value)) {
                return null;
            }
        }
        return keyed(check);
    }

    /**
     * The limit of a client, whatever headers the policy is for, and whatever attributes that the client is not known to have; null if it is
     * not the client's or for no such request.
     */
    @Nullable Limit ofClient(Check client, boolean endpointKnown) {
        List<KeyPart> parts = policy.key().parts();
        boolean own = parts.stream().anyMatch(part -> !(part instanceof KeyPart.Request))
                && hasOrIsEmpty(policy.appliesTo().tiers(), client.tier())
                && (endpointKnown ? isFor(client.segments()) : !parts.contains(KeyPart.Request.ENDPOINT))
                && (client.method().isEmpty() || hasOrIsEmpty(policy.appliesTo().methods(), client.method()));
        return own && hasNoOther(client.attributes()) ? keyed(client) : null;
    }

    /** Whether no attribute of a client has a value that the policy is not for. */
    private boolean hasNoOther(Map<String, String> client) {
        return attributes.stream()
                .allMatch(each ->
                        !client.containsKey(each.getKey()) || each.getValue().contains(client.get(each.getKey())));
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
        return new Limit(policy, quota, text, check.cost() * unitCost, unitCost);
    }

    private long unitCost(Check check) {
        for (int i = 0; i < costs.size(); i++) {
            if (costs.get(i).matches(check.segments(), check.method())) {
                return costs.get(i).cost();
            }
        }
        return policy.limitSpec().cost();
    }

    /**
     * Builds the text of a limit's key. Commas within values are escaped, so that no two clients share a key by the way
     * their identifiers happen to be spelled.
     */
    static final class KeyBuilder {
        private final KeyPart[] parts;
        /** Label before each value: {@code tenant=}, {@code ,user_id=}. */
        private final String[] labels;

        KeyBuilder(KeySpec spec) {
            this.parts = spec.parts().toArray(KeyPart[]::new);
            this.labels = new String[parts.length];
            for (int i = 0; i < parts.length; i++) {
                labels[i] = (i == 0 ? "" : ",") + parts[i].attribute() + "=";
            }
        }

        /** The key of a check, or null if the check lacks a part and the policy does not apply. */
        @Nullable String of(Check check) {
            String key = "";
            for (int i = 0; i < parts.length; i++) {
                String value = value(parts[i], check);
                if (value == null) {
                    return null;
                }
                key = i == 0 ? labels[i].concat(escaped(value)) : key + labels[i] + escaped(value);
            }
            return key;
        }

        private static @Nullable String value(KeyPart part, Check check) {
            if (part instanceof KeyPart.Attribute attribute) {
                return check.attributes().get(attribute.attribute());
            }
            if (part instanceof KeyPart.Address address) {
                return prefix(address, check.address());
            }
            String value = part == KeyPart.Request.METHOD ? check.method() : EndpointPath.text(check.segments());
            return value.isEmpty() ? null : value;
        }

        private static @Nullable String prefix(KeyPart.Address part, @Nullable IpAddress address) {
            if (address == null) {
                return null;
            }
            int bits = address.isV6() ? part.v6Bits() : part.v4Bits();
            boolean whole = bits == (address.isV6() ? IpAddress.V6_BITS : IpAddress.V4_BITS);
            String text = address.prefix(part.v4Bits(), part.v6Bits()).toString();
            return whole ? text : text + "/" + bits;
        }

        private static String escaped(String value) {
            boolean plain = value.indexOf(',') < 0 && value.indexOf('%') < 0;
            return plain ? value : value.replace("%", "%25").replace(",", "%2C");
        }
    }
}
