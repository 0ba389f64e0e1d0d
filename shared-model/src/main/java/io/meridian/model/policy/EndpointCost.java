package io.meridian.model.policy;

import io.meridian.model.rule.Rules;
import java.util.List;
import java.util.Locale;

/** What one endpoint is charged: {@code POST /export} costs 100. An empty method is any. */
public record EndpointCost(EndpointPattern endpoint, String method, long cost) {
    public EndpointCost {
        method = method.toUpperCase(Locale.ROOT);
        new Rules()
                .require(
                        method.isEmpty() || Selector.METHOD.matcher(method).matches(),
                        "endpoint_costs.method",
                        method,
                        "must be an HTTP method")
                .require(
                        cost >= 1 && cost <= Counting.COST_MAX,
                        "endpoint_costs.cost",
                        cost,
                        "must be from 1 to " + Counting.COST_MAX)
                .throwIfBroken();
    }

    public boolean matches(List<String> path, String requestMethod) {
        return (method.isEmpty() || method.equals(requestMethod)) && endpoint.matches(path);
    }
}
