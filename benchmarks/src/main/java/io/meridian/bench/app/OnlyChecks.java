package io.meridian.bench.app;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.model.match.Check;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Base class of limiters for comparisons, which answer checks only. */
abstract class OnlyChecks implements Limiter {
    @Override
    public CompletionStage<CheckResult> check(Check check, String requestId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> tier(Check check) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<CheckResult> status(Check check) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<CheckResult> refund(Check check) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<CheckResult> reset(Check check) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Reservation> reserve(Check check, Duration ttl) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Optional<CheckResult>> commit(String reservationId, long cost) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Optional<CheckResult>> cancel(String reservationId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ClientLease> lease(Check check, long units, Duration ttl) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<LeaseReturn> returnLease(String leaseId, long units) {
        throw new UnsupportedOperationException();
    }
}
