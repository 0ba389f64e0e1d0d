package io.meridian.bench.app;

import io.meridian.bench.BenchmarkPolicies;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.PolicyJson;
import java.util.concurrent.TimeUnit;

/** One policy and its key, written out: what an answer says of a limit that no limiter has found. */
final class ComparedPolicy {
    static final long LIMIT = 100_000_000;

    private static final Policy POLICY =
            PolicyJson.read(BenchmarkPolicies.json(1, LIMIT).get(0));

    private ComparedPolicy() {}

    static String key(Check check) {
        return "api_key=" + check.attributes().get("api_key");
    }

    static LimitDecision evaluated(String key, boolean admitted, long remaining, long resetNanos) {
        long resetAtMicros = TimeSource.system().wallMicros() + TimeUnit.NANOSECONDS.toMicros(resetNanos);
        return new LimitDecision(
                new Limit(POLICY, POLICY.limitSpec().quota(), key, 1, 1),
                admitted,
                new Standing(LIMIT, remaining, resetAtMicros),
                0,
                CounterState.UNTOUCHED);
    }
}
