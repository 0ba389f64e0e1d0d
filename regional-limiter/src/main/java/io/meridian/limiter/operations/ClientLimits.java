package io.meridian.limiter.operations;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Status and reset of all limits of a client in this region, whatever it asks for. They are asked a few at a time, so that no
 * client is in the way of checks for long. An admin has more time than a check: what Redis did not answer within a check's budget
 * is asked again, which counts nothing twice.
 */
@Singleton
public class ClientLimits {
    /** A client has at most so many; beyond it the call fails with an {@link IllegalStateException}. */
    public static final int LIMITS_MAX = 1_000;

    private static final int AT_A_TIME = 100;
    private static final int RETRIES = 2;
    private static final long RETRY_AFTER_MILLIS = 200;

    private final CounterOperations operations;
    private final TypedGuard<CompletionStage<List<LimitResult>>> again;

    ClientLimits(CounterOperations operations) {
        this.operations = operations;
        this.again = TypedGuard.create(new TypeLiteral<CompletionStage<List<LimitResult>>>() {})
                .withRetry()
                .maxRetries(RETRIES)
                .delay(RETRY_AFTER_MILLIS, ChronoUnit.MILLIS)
                .jitter(0, ChronoUnit.MILLIS)
                .done()
                .withThreadOffload(false)
                .build();
    }

    /** How they stand; consumes nothing. Fails with {@link RegionUnavailable} if the region cannot say. */
    public CompletionStage<List<LimitResult>> status(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, operations::status);
    }

    /** How the limits of one check stand; consumes nothing. Fails with {@link RegionUnavailable} if the region cannot say. */
    public CompletionStage<List<LimitResult>> statusOfCheck(Check check) {
        return all(operations.limits(check), operations::status);
    }

    /** Forgets what was counted, this instance's leases with it. Fails with {@link RegionUnavailable} if not all could be. */
    public CompletionStage<List<LimitResult>> reset(Check client, boolean endpointKnown) {
        return all(client, endpointKnown, operations::reset);
    }

    /** Leased units of a limit that this instance can still spend. */
    public long leased(Limit limit) {
        return operations.leased(limit);
    }

    private CompletionStage<List<LimitResult>> all(
            Check client, boolean endpointKnown, Function<List<Limit>, CompletionStage<CheckResult>> question) {
        return all(operations.clientLimits(client, endpointKnown), question);
    }

    private CompletionStage<List<LimitResult>> all(
            List<Limit> limits, Function<List<Limit>, CompletionStage<CheckResult>> question) {
        if (limits.size() > LIMITS_MAX) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "the client must have at most " + LIMITS_MAX + " limits, got " + limits.size()));
        }
        CompletionStage<List<LimitResult>> answers = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < limits.size(); from += AT_A_TIME) {
            List<Limit> some = limits.subList(from, Math.min(limits.size(), from + AT_A_TIME));
            answers = answers.thenCompose(
                    before -> again.get(() -> question.apply(some).thenApply(ClientLimits::known))
                            .thenApply(more -> joined(before, more)));
        }
        return answers;
    }

    private static List<LimitResult> joined(List<LimitResult> before, List<LimitResult> more) {
        before.addAll(more);
        return before;
    }

    /** Limits of a decided result. Fails on a result of the fallback, which is only this instance's estimate. */
    private static List<LimitResult> known(CheckResult ruling) {
        if (!(ruling instanceof CheckResult.Decided decided) || decided.degraded()) {
            throw new RegionUnavailable("the region's counters cannot be reached now");
        }
        return decided.limits();
    }
}
