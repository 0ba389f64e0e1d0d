package io.meridian.limiter.lease;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.metrics.LeaseMetrics;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.Timers;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Checks that wait for a grant of a limit in escrow. A region whose grant does not cover a check is not out of quota as long as the
 * leader may have something to give: budget that is not granted yet, or idle in another region. So the check waits, and is asked again
 * whenever a verdict on its limit arrives. It is refused at once if the leader said that the limit is spent or the region is cut off, and
 * once the wait is over.
 *
 * <p>Bounds: {@link #CHECKS_MAX} checks wait, {@link #CHECKS_PER_LIMIT_MAX} of them for one limit; a further one is refused at once.
 */
public final class GrantWaits {
    static final int CHECKS_MAX = 10_000;
    static final int CHECKS_PER_LIMIT_MAX = 1_000;

    private final Timers timers;
    private final LeaderContact leader;
    private final LeaseMetrics metrics;
    private final long waitMillis;
    private final Map<LimitId, Queue<Waiter>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger checks = new AtomicInteger();

    public GrantWaits(Timers timers, LeaderContact leader, LeaseConfig config, LimiterMetrics metrics) {
        this.metrics = metrics.leases();
        this.timers = timers;
        this.leader = leader;
        this.waitMillis = config.grantWait().toMillis();
    }

    /** The answer to a group of asks: at once if it admits them or no grant would help, else once a grant came or the wait is over. */
    public CompletionStage<Reply> settle(List<CounterRequest> asks, Reply reply, RegionCounters counters) {
        Optional<Limit> lacking = lacking(asks, reply.told());
        if (lacking.isEmpty() || waitMillis == 0 || checks.get() >= CHECKS_MAX) {
            return CompletableFuture.completedFuture(reply);
        }
        checks.incrementAndGet();
        metrics.waitedForGrant();
        Waiter waiter = new Waiter(asks, counters);
        timers.after(waitMillis, waiter::expire);
        waiter.await(lacking.get(), reply);
        return waiter.answer.whenComplete((done, failure) -> checks.decrementAndGet());
    }

    /** A verdict on the limit arrived: grants may have changed, or the limit is spent. */
    void changed(LimitId id) {
        Queue<Waiter> waiters = waiting.remove(id);
        if (waiters == null) {
            return;
        }
        waiters.forEach(Waiter::askAgain);
    }

    /** The limit whose grant is all that the asks lack; nothing if another limit refuses, or no grant can be hoped for. */
    private Optional<Limit> lacking(List<CounterRequest> asks, List<CounterReply> told) {
        Optional<Limit> lacking = Optional.empty();
        for (int i = 0; i < asks.size(); i++) {
            Limit limit = asks.get(i).limit();
            if (told.get(i).admitted() || limit.policy().enforcement().isShadow()) {
                continue;
            }
            if (!(asks.get(i) instanceof CounterRequest.Take) || !mayBeGranted(limit, told.get(i), leader)) {
                return Optional.empty();
            }
            lacking = Optional.of(limit);
        }
        return lacking;
    }

    /** Whether a refused take of this limit may be granted a moment later. */
    public static boolean mayBeGranted(Limit limit, CounterReply told, LeaderContact leader) {
        CounterReply.GlobalUsage shared = told.globalUsage();
        return shared != null
                && limit.policy().coordination().isEscrow()
                && limit.cost() <= limit.quota().capacity() - shared.own() - shared.usedElsewhere()
                && leader.isReachable(limit);
    }

    /** One check that waits. Asked again after each verdict on its limit, and a last time when its wait is over. */
    private final class Waiter {
        final CompletableFuture<Reply> answer = new CompletableFuture<>();
        private final List<CounterRequest> asks;
        private final RegionCounters counters;
        private @Nullable LimitId queuedFor;
        private boolean expired;
        private boolean asking;

        Waiter(List<CounterRequest> asks, RegionCounters counters) {
            this.asks = asks;
            this.counters = counters;
        }

        /** A grant may have come before the check was queued, so the region is asked once more after that. */
        void await(Limit limit, Reply refused) {
            LimitId id = LimitId.of(limit);
            if (!enqueue(id)) {
                answer.complete(refused);
                return;
            }
            if (isExpired()) {
                dequeue(id);
                askAgain();
                return;
            }
            CounterRequest peek = new CounterRequest.Peek(limit, limit.cost());
            counters.ask(List.of(peek)).whenComplete((reply, away) -> {
                if (away == null && reply.told().get(0).admitted()) {
                    changed(id);
                }
            });
        }

        /** False if as many wait for this limit as may. */
        private boolean enqueue(LimitId id) {
            synchronized (this) {
                queuedFor = id;
            }
            boolean[] queued = {false};
            waiting.compute(id, (same, known) -> {
                Queue<Waiter> waiters = known == null ? new ArrayDeque<>() : known;
                queued[0] = waiters.size() < CHECKS_PER_LIMIT_MAX && waiters.add(this);
                return waiters;
            });
            return queued[0];
        }

        /** Queues are changed only inside the map's own functions, which exclude each other for one limit. */
        private void dequeue(LimitId id) {
            waiting.computeIfPresent(id, (same, waiters) -> {
                waiters.remove(this);
                return waiters.isEmpty() ? null : waiters;
            });
        }

        private synchronized boolean isExpired() {
            return expired;
        }

        void expire() {
            LimitId id;
            synchronized (this) {
                expired = true;
                id = queuedFor;
            }
            if (id != null) {
                dequeue(id);
            }
            askAgain();
        }

        void askAgain() {
            synchronized (this) {
                if (asking || answer.isDone()) {
                    return;
                }
                asking = true;
            }
            counters.ask(again(asks)).whenComplete(this::answered);
        }

        private void answered(Reply reply, @Nullable Throwable away) {
            boolean over;
            synchronized (this) {
                over = expired;
                asking = over;
            }
            if (away != null) {
                answer.completeExceptionally(away);
                return;
            }
            Optional<Limit> lacking = lacking(asks, reply.told());
            if (over || lacking.isEmpty()) {
                answer.complete(reply);
            } else {
                await(lacking.get(), reply);
            }
        }
    }

    /** The same requests. They were counted as demand the first time, and take nothing ahead while other checks wait. */
    private static List<CounterRequest> again(List<CounterRequest> asks) {
        return asks.stream()
                .map(ask -> ask instanceof CounterRequest.Take take
                        ? new CounterRequest.Take(
                                take.limit(), take.cost(), 0, take.horizonMicros(), 0, take.overdraft())
                        : ask)
                .toList();
    }
}
