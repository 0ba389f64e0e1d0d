package io.meridian.limiter.lane;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.lane.LaneTransport.Counted;
import io.meridian.limiter.lane.LaneTransport.StaleIncarnation;
import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.lease.LateReplies;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.limiter.metrics.RedisMetrics.RedisFailure;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Calls of one event loop to the region's counters: the groups of one turn of the loop share a call. Everything here runs on that event loop. A
 * call has its time budget, a check at most two of them: one for the call on its way and one for its own. Every queue has a bound.
 *
 * <p>Production runs it over Redis, and the simulation over its own transport.
 */
public final class CounterLane {
    private final LaneTransport transport;
    private final CallGuard guard;
    private final IncarnationTracker incarnations;
    private final RedisConfig config;
    private final RegionClock clock;
    private final TimeSource time;
    private final RedisMetrics metrics;
    private List<Waiting> turn = new ArrayList<>();
    private int callsInFlight;

    public CounterLane(
            LaneTransport transport,
            CallGuard guard,
            IncarnationTracker incarnations,
            RedisConfig config,
            RegionClock clock,
            TimeSource time,
            RedisMetrics metrics) {
        this.transport = transport;
        this.guard = guard;
        this.incarnations = incarnations;
        this.config = config;
        this.clock = clock;
        this.time = time;
        this.metrics = metrics;
    }

    /** Guard before every call, for example a circuit breaker: makes the call, or fails at once. */
    @FunctionalInterface
    public interface CallGuard {
        CompletionStage<List<Reply>> call(Supplier<CompletionStage<List<Reply>>> call);
    }

    private record Waiting(List<CounterRequest> group, CompletableFuture<Reply> reply) {}

    /** Asks with all others of this turn. All requests of a group are at one node. */
    public CompletionStage<Reply> ask(List<CounterRequest> group) {
        if (turn.size() >= config.groupsPerTurn()) {
            metrics.failed(RedisFailure.REFUSED);
            return CompletableFuture.failedFuture(new RegionUnavailable("too many checks wait for Redis"));
        }
        if (turn.isEmpty()) {
            transport.atEndOfTurn(this::flushIfWorthIt);
        }
        Waiting waiting = new Waiting(group, new CompletableFuture<>());
        turn.add(waiting);
        return waiting.reply;
    }

    /** How full the fuller of the two queues is: of checks that wait for a call, and of calls that wait for their answer. */
    public int backlogPercent() {
        int groups = 100 * turn.size() / config.groupsPerTurn();
        int calls = 100 * callsInFlight / config.callsInFlight();
        return Math.min(100, Math.max(groups, calls));
    }

    /**
     * Makes a call that names the incarnation of the region's data. If the data is of another one, that is learnt before the call fails, or is
     * made once more.
     *
     * @param repeated whether it may be made once more; a refund of the incarnation before is not
     */
    public <T> CompletionStage<T> inIncarnation(Supplier<CompletionStage<T>> call, boolean repeated) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(call, repeated, result);
        return result;
    }

    private <T> void attempt(Supplier<CompletionStage<T>> call, boolean repeated, CompletableFuture<T> result) {
        call.get().whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
                return;
            }
            Throwable cause = cause(failure);
            if (!(cause instanceof StaleIncarnation)) {
                result.completeExceptionally(cause);
                return;
            }
            transport.identifyAgain().whenComplete((identified, unidentified) -> {
                if (unidentified == null && repeated) {
                    attempt(call, false, result);
                } else {
                    result.completeExceptionally(unidentified == null ? cause : cause(unidentified));
                }
            });
        });
    }

    /** Counts beside all checks, as a probe does: without the queue and the guard. */
    public CompletionStage<Counted> count(List<List<CounterRequest>> groups) {
        boolean refunds =
                groups.stream().anyMatch(group -> group.stream().anyMatch(CounterRequest.Refund.class::isInstance));
        return inIncarnation(() -> transport.count(groups), !refunds);
    }

    /** Ends waiting for an answer after the transport's patience; the returned action revokes it. */
    public Runnable limit(CompletableFuture<?> result) {
        return transport.after(transport.patience(), () -> {
            transport.known();
            if (result.completeExceptionally(new RegionUnavailable("Redis did not answer in time"))) {
                metrics.failed(RedisFailure.TIMEOUT);
            }
        });
    }

    /**
     * While a call is on its way the next turns join the next call, unless they are many: what a call costs Redis beyond its
     * asks is as much as a dozen of them.
     */
    private void flushIfWorthIt() {
        boolean worthIt = callsInFlight == 0 || turn.size() >= config.groupsWorthACall();
        if (worthIt && !turn.isEmpty()) {
            flush();
        }
    }

    private void flush() {
        List<Waiting> asked = turn;
        turn = new ArrayList<>(asked.size());
        for (List<Waiting> call : split(asked, each -> each.group, transport::node, config.requestsPerCall())) {
            call(call);
        }
    }

    private void call(List<Waiting> call) {
        if (callsInFlight >= config.callsInFlight()) {
            metrics.failed(RedisFailure.REFUSED);
            fail(call, new RegionUnavailable("too many calls wait for Redis"));
            return;
        }
        callsInFlight++;
        List<List<CounterRequest>> groups = new ArrayList<>(call.size());
        call.forEach(waiting -> groups.add(waiting.group));
        guard.call(() -> send(groups)).whenComplete((replies, failure) -> {
            callsInFlight--;
            flushIfWorthIt();
            if (failure != null) {
                fail(call, failure);
                return;
            }
            for (int i = 0; i < call.size(); i++) {
                call.get(i).reply.complete(replies.get(i));
            }
        });
    }

    private CompletionStage<List<Reply>> send(List<List<CounterRequest>> groups) {
        CompletableFuture<List<Reply>> result = new CompletableFuture<>();
        Runnable revoke = limit(result);
        long sentNanos = time.monotonicNanos();
        metrics.called(groups.stream().mapToInt(List::size).sum());
        count(groups).whenComplete((counted, failure) -> {
            revoke.run();
            if (failure != null) {
                metrics.failed(RedisFailure.ERROR);
                transport.failed(cause(failure));
                result.completeExceptionally(new RegionUnavailable("Redis failed: " + cause(failure)));
                return;
            }
            transport.known();
            metrics.answered(time.monotonicNanos() - sentNanos);
            List<Reply> replies = counted.replies();
            clock.learn(replies.get(0).nowMicros(), sentNanos);
            // Units taken in an ended incarnation cannot be refunded to the next.
            if (!result.complete(replies) && counted.incarnation().equals(incarnations.current())) {
                LateReplies.returns(groups, replies).forEach(this::ask);
            }
        });
        return result;
    }

    private void fail(List<Waiting> call, Throwable failure) {
        RegionUnavailable away = cause(failure) instanceof RegionUnavailable known ? known : notAsked(failure);
        call.forEach(waiting -> waiting.reply.completeExceptionally(away));
    }

    private RegionUnavailable notAsked(Throwable failure) {
        metrics.failed(RedisFailure.BREAKER);
        return new RegionUnavailable("Redis is not called: " + failure);
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Partition of the groups of a turn into calls: as few as possible, none too long, and one for each node. */
    static <T> List<List<T>> split(
            List<T> turn,
            Function<T, List<CounterRequest>> group,
            ToIntFunction<List<CounterRequest>> node,
            int requestsPerCall) {
        List<List<T>> calls = new ArrayList<>();
        for (List<T> part : byNode(turn, group, node)) {
            int asks = 0;
            int from = 0;
            for (int i = 0; i < part.size(); i++) {
                int more = group.apply(part.get(i)).size();
                if (asks + more > requestsPerCall && i > from) {
                    calls.add(part.subList(from, i));
                    from = i;
                    asks = 0;
                }
                asks += more;
            }
            calls.add(part.subList(from, part.size()));
        }
        return calls;
    }

    private static <T> Collection<List<T>> byNode(
            List<T> turn, Function<T, List<CounterRequest>> group, ToIntFunction<List<CounterRequest>> node) {
        int first = node.applyAsInt(group.apply(turn.get(0)));
        boolean one = true;
        for (int i = 1; i < turn.size() && one; i++) {
            one = node.applyAsInt(group.apply(turn.get(i))) == first;
        }
        if (one) {
            return List.of(turn);
        }
        Map<Integer, List<T>> byNode = new LinkedHashMap<>();
        for (T each : turn) {
            byNode.computeIfAbsent(node.applyAsInt(group.apply(each)), absent -> new ArrayList<>())
                    .add(each);
        }
        return byNode.values();
    }
}
