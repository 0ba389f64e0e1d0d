package io.meridian.bench.app;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.Limiter;
import io.meridian.model.decision.Decision;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides nothing and allows everything: what is left of a check is reading the question and writing the answer. */
public final class Bare extends OnlyChecks {
    private final int limits;

    private Bare(int limits) {
        this.limits = limits;
    }

    public static Limiter withLimits(int limits) {
        return new Bare(limits);
    }

    @Override
    public CompletionStage<CheckResult> check(Check check) {
        LimitDecision each = ComparedPolicy.evaluated(ComparedPolicy.key(check), true, ComparedPolicy.LIMIT - 1, 0);
        return CompletableFuture.completedFuture(CheckResult.Decided.by(
                DecidedBy.LEASE,
                new Decision.Allowed(Collections.nCopies(limits, each), each, 0),
                TimeSource.system().wallMicros()));
    }
}
