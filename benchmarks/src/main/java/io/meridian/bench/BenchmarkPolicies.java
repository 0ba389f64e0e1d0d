package io.meridian.bench;

import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.ArrayList;
import java.util.List;

/** Policies as a large installation has them: three that apply to the measured request, the others for other ones. */
public final class BenchmarkPolicies {
    private static final long LIMIT = 1_000;

    private BenchmarkPolicies() {}

    static List<Policy> ofSize(int size) {
        return json(size, LIMIT).stream().map(PolicyJson::read).toList();
    }

    /** The first {@code size} of them, each with this limit. */
    public static List<String> json(int size, long limit) {
        List<String> policies = new ArrayList<>(List.of(
                policy("all", limit, "\"api_key\"", "*", ""),
                policy("users", limit, "\"user_id\"", "/api/v1/*", ""),
                policy("free", limit, "\"tenant\", \"user_id\"", "/api/*/users", "\"tiers\": [\"free\"], ")));
        for (int i = policies.size(); i < size; i++) {
            policies.add(other(i, limit));
        }
        return policies.subList(0, size);
    }

    /** A policy that differs from the request in one part only, each part in turn. */
    private static String other(int i, long limit) {
        String id = "other-" + i;
        return switch (i % 5) {
            case 0 -> policy(id, limit, "\"user_id\"", "/api/v1/endpoint-" + i + "/*", "");
            case 1 -> policy(id, limit, "\"user_id\"", "*", "\"tiers\": [\"tier-" + i + "\"], ");
            case 2 -> policy(id, limit, "\"user_id\"", "*", "\"headers\": {\"x-plan\": \"plan-" + i + "\"}, ");
            case 3 -> policy(id, limit, "\"attribute_" + i + "\"", "*", "");
            default -> policy(id, limit, "\"user_id\"", "/api/*/service-" + i, "\"methods\": [\"POST\"], ");
        };
    }

    private static String policy(String id, long limit, String key, String endpoint, String selectors) {
        return "{\"id\": \"" + id + "\", \"key\": [" + key + "], \"algorithm\": \"token_bucket\", \"limit\": " + limit
                + ", \"window\": \"1m\", \"applies_to\": {" + selectors + "\"endpoints\": [\"" + endpoint + "\"]}}";
    }
}
