package io.meridian.bench;

import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.ArrayList;
import java.util.List;

/** Policies as a large installation has them: three that apply to the measured request, the others for other ones. */
final class PolicySet {
    private PolicySet() {}

    static List<Policy> ofSize(int size) {
        List<Policy> policies = new ArrayList<>(List.of(
                policy("all", "\"api_key\"", "*", ""),
                policy("users", "\"user_id\"", "/api/v1/*", ""),
                policy("free", "\"tenant\", \"user_id\"", "/api/*/users", "\"tiers\": [\"free\"], ")));
        for (int i = policies.size(); i < size; i++) {
            policies.add(other(i));
        }
        return policies;
    }

    /** A policy that differs from the request in one part only, each part in turn. */
    private static Policy other(int i) {
        String id = "other-" + i;
        return switch (i % 5) {
            case 0 -> policy(id, "\"user_id\"", "/api/v1/endpoint-" + i + "/*", "");
            case 1 -> policy(id, "\"user_id\"", "*", "\"tiers\": [\"tier-" + i + "\"], ");
            case 2 -> policy(id, "\"user_id\"", "*", "\"headers\": {\"x-plan\": \"plan-" + i + "\"}, ");
            case 3 -> policy(id, "\"attribute_" + i + "\"", "*", "");
            default -> policy(id, "\"user_id\"", "/api/*/service-" + i, "\"methods\": [\"POST\"], ");
        };
    }

    private static Policy policy(String id, String key, String endpoint, String selectors) {
        return PolicyJson.read("{\"id\": \"" + id + "\", \"key\": [" + key
                + "], \"algorithm\": \"token_bucket\", \"limit\": 1000, \"window\": \"1m\", \"applies_to\": {"
                + selectors
                + "\"endpoints\": [\"" + endpoint + "\"]}}");
    }
}
