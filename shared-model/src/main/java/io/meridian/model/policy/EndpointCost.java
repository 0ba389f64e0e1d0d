package io.meridian.model.policy;

import io.meridian.model.rule.Rules;
import java.util.Locale;

/** What one endpoint is charged: {@code POST /export} costs 100. An empty method is any. */
public record EndpointCost(EndpointPattern endpoint, String method, long cost) {
    public EndpointCost {
        method = method.toUpperCase(Locale.ROOT);
        new Rules()
                .require(
                        cost >= 1 && cost <= Counting.COST_MAX,
                        "endpoint_costs.cost",
                        cost,
                        "must be from 1 to " + Counting.COST_MAX)
                .throwIfBroken();
    }

    public boolean matches(String path, String requestMethod) {
        return (method.isEmpty() || method.equals(requestMethod)) && endpoint.matches(path);
    }
}
