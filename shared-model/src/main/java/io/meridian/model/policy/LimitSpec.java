package io.meridian.model.policy;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.validation.Validator;
import java.util.List;
import java.util.Locale;

/**
 * Limit of a policy: algorithm, quota and costs.
 *
 * @param burst what a bucket holds beyond its limit
 * @param cost what one unit of a request's own cost is charged
 * @param costs the endpoints that are charged otherwise; the first that matches wins
 */
public record LimitSpec(
        Algorithm algorithm, long limit, Window window, long burst, long cost, List<EndpointCost> costs) {
    /** The largest cost, of a policy and of a request: their product still fits. */
    public static final long COST_MAX = 1_000_000_000L;

    static final int COSTS_MAX = 100;
    private static final String FITS = "must be at most limit and burst together, or no request would ever be admitted";

    public LimitSpec {
        costs = List.copyOf(costs);
        long capacity = Math.max(1, limit) + Math.max(0, burst);
        Validator rules = new Validator();
        costs.forEach(each -> rules.require(each.cost() <= capacity, "endpoint_costs.cost", each.cost(), FITS));
        rules.require(
                        limit >= 1 && limit <= algorithm.limitMax(),
                        "limit",
                        limit,
                        "must be from 1 to " + algorithm.limitMax() + " with " + algorithm.text())
                .require(burst >= 0 && burst <= Quota.MAX, "burst", burst, "must be from 0 to " + Quota.MAX)
                .require(
                        burst == 0 || algorithm.isBucket(),
                        "burst",
                        burst,
                        "must be 0 with " + algorithm.text()
                                + ": only token_bucket, leaky_bucket and gcra fill up again to hold a burst")
                .require(
                        algorithm.isWindowed() || window instanceof Window.Span,
                        "window",
                        window,
                        "must have one length with " + algorithm.text()
                                + ": only fixed_window follows the calendar; 30d comes close")
                .require(cost >= 1 && cost <= COST_MAX, "cost", cost, "must be from 1 to " + COST_MAX)
                .require(cost <= capacity, "cost", cost, FITS)
                .require(
                        costs.size() <= COSTS_MAX,
                        "endpoint_costs",
                        costs.size(),
                        "must have at most " + COSTS_MAX + " entries")
                .throwIfInvalid();
    }

    /** Whether the same is valid with another limit and burst: the constructor's rules, without its exceptions. */
    public boolean takes(long otherLimit, long otherBurst) {
        boolean inRange = otherLimit >= 1
                && otherLimit <= algorithm.limitMax()
                && otherBurst >= 0
                && otherBurst <= Quota.MAX
                && (otherBurst == 0 || algorithm.isBucket());
        return inRange && costMax() <= otherLimit + otherBurst;
    }

    /** The highest cost that one unit of a request is charged. */
    public long costMax() {
        long most = cost;
        for (EndpointCost each : costs) {
            most = Math.max(most, each.cost());
        }
        return most;
    }

    /** The same with another limit and burst, which it takes. */
    public LimitSpec with(long otherLimit, long otherBurst) {
        return new LimitSpec(algorithm, otherLimit, window, otherBurst, cost, costs);
    }

    public Quota quota() {
        return Quota.of(limit, burst, window);
    }

    /** The quota with limit and burst at {@code percent} of themselves, within what the algorithm counts to. */
    public Quota quota(int percent) {
        return percent == 100 ? quota() : Quota.of(scaled(limit, percent, 1), scaled(burst, percent, 0), window);
    }

    private long scaled(long value, int percent, long min) {
        return Math.max(min, Math.min(algorithm.limitMax(), value * percent / 100));
    }

    /** Cost of one endpoint: {@code POST /export} costs 100. An empty method is any. */
    public record EndpointCost(EndpointPattern endpoint, String method, long cost) {
        public EndpointCost {
            method = method.toUpperCase(Locale.ROOT);
            new Validator()
                    .require(
                            method.isEmpty() || Selector.METHOD.matcher(method).matches(),
                            "endpoint_costs.method",
                            method,
                            "must be an HTTP method")
                    .require(
                            cost >= 1 && cost <= LimitSpec.COST_MAX,
                            "endpoint_costs.cost",
                            cost,
                            "must be from 1 to " + LimitSpec.COST_MAX)
                    .throwIfInvalid();
        }

        public boolean matches(List<String> path, String requestMethod) {
            return (method.isEmpty() || method.equals(requestMethod)) && endpoint.matches(path);
        }
    }
}
