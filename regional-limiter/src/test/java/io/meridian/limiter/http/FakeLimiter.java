package io.meridian.limiter.http;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.http.CheckAnswers.Refused;
import io.meridian.limiter.region.Ports.LoadReport;
import io.meridian.model.match.Check;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A limiter that rules as a test tells it, and remembers what it was asked. By default no policy applies to anything. */
@Alternative
@Singleton
class FakeLimiter implements Limiter, LoadReport {
    private static final int ASKED_MAX = 1_000;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<Check> checks = new CopyOnWriteArrayList<>();
    private final Map<String, Check> reservations = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private volatile boolean failing;
    private volatile Function<Check, CheckResult> rule = check -> Rulings.unlimited();

    void reset() {
        failing = false;
        asked.clear();
        checks.clear();
        reservations.clear();
        rule = check -> Rulings.unlimited();
    }

    /** Makes every call fail until the next reset. */
    void fail() {
        failing = true;
    }

    void rule(CheckResult ruling) {
        rule = check -> ruling;
    }

    void rule(Function<Check, CheckResult> ruling) {
        rule = ruling;
    }

    /** What was called, in order: {@code check}, {@code check r-1}, {@code refund}. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    Check lastCheck() {
        return checks.get(checks.size() - 1);
    }

    @Override
    public CompletionStage<CheckResult> check(Check check) {
        return ruled("check", check);
    }

    @Override
    public CompletionStage<CheckResult> check(Check check, String requestId) {
        return ruled("check " + requestId, check);
    }

    @Override
    public Optional<String> tier(Check check) {
        return check.attributes().containsValue("k-pro") ? Optional.of("pro") : Optional.empty();
    }

    @Override
    public CompletionStage<CheckResult> status(Check check) {
        return ruled("status", check);
    }

    @Override
    public CompletionStage<CheckResult> refund(Check check) {
        return ruled("refund", check);
    }

    @Override
    public CompletionStage<CheckResult> reset(Check check) {
        return ruled("reset", check);
    }

    @Override
    public CompletionStage<Reservation> reserve(Check check, Duration ttl) {
        return ruled("reserve " + ttl.toMillis(), check).thenApply(ruling -> {
            if (Refused.of(ruling) != null) {
                return new Reservation(Optional.empty(), ruling);
            }
            String id = "r-" + ids.incrementAndGet();
            if (reservations.size() < ASKED_MAX) {
                reservations.put(id, check);
            }
            return new Reservation(Optional.of(id), ruling);
        });
    }

    @Override
    public CompletionStage<Optional<CheckResult>> commit(String reservationId, long cost) {
        return settled("commit " + cost, reservationId);
    }

    @Override
    public CompletionStage<Optional<CheckResult>> cancel(String reservationId) {
        return settled("cancel", reservationId);
    }

    @Override
    public CompletionStage<ClientLease> lease(Check check, long units, Duration ttl) {
        return ruled("lease " + units + " " + ttl.toMillis(), check)
                .thenApply(ruling -> Refused.of(ruling) != null || !(ruling instanceof CheckResult.Decided decided)
                        ? new ClientLease.Refused(ruling)
                        : new ClientLease.Granted("l-" + ids.incrementAndGet(), units, 1_000_000, 1_000, decided));
    }

    @Override
    public CompletionStage<LeaseReturn> returnLease(String leaseId, long units) {
        note("return " + units);
        return CompletableFuture.completedFuture(
                switch (leaseId) {
                    case "l-ended" -> new LeaseReturn.Expired();
                    case "l-small" -> new LeaseReturn.TooMany(3);
                    case "l-open" -> new LeaseReturn.Returned(Rulings.unlimited());
                    default -> new LeaseReturn.Unknown();
                });
    }

    @Override
    public void report(int percent) {
        note("load " + percent);
    }

    private CompletionStage<Optional<CheckResult>> settled(String call, String id) {
        Check reserved = reservations.remove(id);
        return reserved == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : ruled(call, reserved).thenApply(Optional::of);
    }

    private CompletionStage<CheckResult> ruled(String call, Check check) {
        note(call);
        if (checks.size() < ASKED_MAX) {
            checks.add(check);
        }
        return failing
                ? CompletableFuture.failedFuture(new IllegalStateException("a failure of a test"))
                : CompletableFuture.completedFuture(rule.apply(check));
    }

    private void note(String call) {
        if (asked.size() < ASKED_MAX) {
            asked.add(call);
        }
    }
}
