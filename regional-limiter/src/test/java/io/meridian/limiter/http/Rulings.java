package io.meridian.limiter.http;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Enforcement.OnFailure;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rulings for tests: limits of 1000 an hour at half past ten. */
final class Rulings {
    static final long NOW = micros("2026-01-15T10:30:00Z");
    static final long RESET = micros("2026-01-15T11:00:00Z");

    private Rulings() {}

    static long micros(String instant) {
        return TimeUnit.SECONDS.toMicros(Instant.parse(instant).getEpochSecond());
    }

    static CheckResult unlimited() {
        return CheckResult.Decided.by(DecidedBy.LEASE, new Decision.Allowed(List.of(), null, 0), NOW);
    }

    static Policy policy(String id) {
        return Policy.of(id, KeySpec.of("api_key"), Algorithm.FIXED_WINDOW, 1_000, Window.parse("1h"));
    }

    static Policy with(Policy policy, Action action, int softLimitPercent) {
        return with(
                policy,
                policy.limitSpec().algorithm(),
                policy.coordination(),
                new Enforcement(action, softLimitPercent, OnFailure.LOCAL, false));
    }

    static Policy with(Policy policy, Algorithm algorithm, Coordination coordination, Enforcement enforcement) {
        var counting = policy.limitSpec();
        return new Policy(
                policy.id(),
                policy.name(),
                policy.description(),
                policy.appliesTo(),
                policy.key(),
                new LimitSpec(
                        algorithm, counting.limit(), counting.window(), counting.burst(), counting.cost(), List.of()),
                coordination,
                enforcement,
                policy.priority(),
                policy.enabled(),
                policy.revision());
    }

    static Limit limit(Policy policy) {
        return new Limit(policy, policy.limitSpec().quota(), "api_key=k-1", 1, 1);
    }

    static LimitDecision admits(Policy policy, long remaining) {
        return admits(policy, remaining, 0);
    }

    static LimitDecision admits(Policy policy, long remaining, long delayMicros) {
        return new LimitDecision(
                limit(policy), true, new Standing(1_000, remaining, RESET), delayMicros, state(policy));
    }

    static LimitDecision refuses(Policy policy, long retryAfterMicros) {
        return new LimitDecision(limit(policy), false, new Standing(1_000, 0, RESET), retryAfterMicros, state(policy));
    }

    static LimitDecision refusesForGood(Policy policy) {
        return refuses(policy, Outcome.NEVER);
    }

    static CheckResult.Decided decided(DecidedBy by, LimitDecision... evaluated) {
        return CheckResult.Decided.by(by, MultiLimit.compose(List.of(evaluated)), NOW);
    }

    private static CounterState state(Policy policy) {
        return policy.limitSpec()
                .algorithm()
                .decide(CounterState.UNTOUCHED, policy.limitSpec().quota(), 0, NOW)
                .next();
    }
}
