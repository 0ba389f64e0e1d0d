package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.lease.LateReplies;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.limiter.metrics.RedisMetrics.RedisFailure;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Pipelined calls of one event loop to Redis: the groups of one turn of the loop share a script call. Everything here runs on that
 * event loop. A call has its time budget, a check at most two of them: one for the call on its way and one for its own.
 * Every queue has a bound.
 */
final class EventLoopLane {
    private final Context context;
    private final LaneConnection connection;
    private final CounterScript script;
    private final RedisIncarnations incarnations;
    private final RedisBreaker breaker;
    private final RedisConfig config;
    private final RegionClock clock;
    private final TimeSource time;
    private final RedisMetrics metrics;
    private List<Waiting> turn = new ArrayList<>();
    private int callsInFlight;
    private int aloneInFlight;
    private boolean probing;

    EventLoopLane(
            Context context,
            LaneConnection connection,
            CounterScript script,
            RedisIncarnations incarnations,
            RedisBreaker breaker,
            RedisConfig config,
            RegionClock clock,
            TimeSource time,
            RedisMetrics metrics) {
        this.context = context;
        this.connection = connection;
        this.script = script;
        this.incarnations = incarnations;
        this.breaker = breaker;
        this.config = config;
        this.clock = clock;
        this.time = time;
        this.metrics = metrics;
    }

    private record Waiting(List<CounterRequest> group, CompletableFuture<Reply> reply) {}

    /** Asks with all others of this turn. In a cluster all requests of a group are in one slot. */
    CompletionStage<Reply> ask(List<CounterRequest> group) {
        if (turn.size() >= config.groupsPerTurn()) {
            metrics.failed(RedisFailure.REFUSED);
            return CompletableFuture.failedFuture(new RegionUnavailable("too many checks wait for Redis"));
        }
        if (turn.isEmpty()) {
            context.runOnContext(ignored -> flushIfWorthIt());
        }
        Waiting waiting = new Waiting(group, new CompletableFuture<>());
        turn.add(waiting);
        return waiting.reply;
    }

    /** Sends a command that no script knows; not sent while the breaker is open, and not counted by it. */
    CompletionStage<Optional<Response>> sendAlone(Request request) {
        CompletableFuture<Optional<Response>> result = new CompletableFuture<>();
        if (breaker.isOpen() || aloneInFlight >= config.callsInFlight()) {
            result.completeExceptionally(
                    new RegionUnavailable("Redis is not called: its circuit breaker is open, or too many calls wait"));
            return result;
        }
        aloneInFlight++;
        long timer = timer(result);
        send(request).onComplete(answered -> {
            aloneInFlight--;
            context.owner().cancelTimer(timer);
            if (answered.failed()) {
                connection.failed(answered.cause());
                result.completeExceptionally(new RegionUnavailable("Redis failed: " + answered.cause()));
            } else {
                result.complete(Optional.ofNullable(answered.result()));
            }
        });
        return result;
    }

    /** Asks, whether the breaker is open or not; true if the answer came in time. One at a time is on its way. */
    CompletionStage<Boolean> probe() {
        CompletableFuture<Boolean> inTime = new CompletableFuture<>();
        if (probing) {
            inTime.complete(false);
            return inTime;
        }
        probing = true;
        long sentNanos = time.monotonicNanos();
        evaluate(List.of(RedisHealth.PROBE)).onComplete(answered -> {
            probing = false;
            if (answered.failed()) {
                connection.failed(answered.cause());
            }
            long tookNanos = time.monotonicNanos() - sentNanos;
            inTime.complete(answered.succeeded() && tookNanos <= config.budget().toNanos());
        });
        return inTime;
    }

    /** How full the fuller of the two queues is: of checks that wait for a call, and of calls that wait for their answer. */
    int backlogPercent() {
        int groups = 100 * turn.size() / config.groupsPerTurn();
        int calls = 100 * callsInFlight / config.callsInFlight();
        return Math.min(100, Math.max(groups, calls));
    }

    private long timer(CompletableFuture<?> result) {
        return context.owner().setTimer(connection.patience().toMillis(), ignored -> {
            connection.known();
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
        if (callsInFlight == 0 || turn.size() >= config.groupsWorthACall()) {
            flush();
        }
    }

    private void flush() {
        List<Waiting> asked = turn;
        turn = new ArrayList<>(asked.size());
        for (List<Waiting> call : Calls.split(asked, each -> each.group, config, script.keys())) {
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
        breaker.guard(() -> send(groups)).whenComplete((replies, failure) -> {
            callsInFlight--;
            if (!turn.isEmpty()) {
                flushIfWorthIt();
            }
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
        long timer = timer(result);
        long sentNanos = time.monotonicNanos();
        StoredIncarnation incarnation = incarnations.current();
        metrics.called(groups.stream().mapToInt(List::size).sum());
        evaluate(groups).onComplete(answered -> {
            context.owner().cancelTimer(timer);
            if (answered.failed()) {
                metrics.failed(RedisFailure.ERROR);
                connection.failed(answered.cause());
                result.completeExceptionally(new RegionUnavailable("Redis failed: " + answered.cause()));
                return;
            }
            connection.known();
            metrics.answered(time.monotonicNanos() - sentNanos);
            List<Reply> replies = script.read(answered.result(), groups);
            clock.learn(replies.get(0).nowMicros(), sentNanos);
            // Units taken in an ended incarnation cannot be refunded to the next.
            if (!result.complete(replies) && Objects.equals(incarnation, incarnations.current())) {
                LateReplies.returns(groups, replies).forEach(this::ask);
            }
        });
        return result;
    }

    /** Counts. A refund of the incarnation before is not repeated in the next. */
    private Future<Response> evaluate(List<List<CounterRequest>> groups) {
        boolean refunds =
                groups.stream().anyMatch(group -> group.stream().anyMatch(CounterRequest.Refund.class::isInstance));
        return connection
                .get()
                .compose(connected -> evaluate(
                        script.script(),
                        request -> script.arguments(request, groups, incarnations.current()),
                        !refunds));
    }

    /**
     * Calls a script. A server that does not know it, because it was restarted or another took over, is sent its text. If the region's
     * data is of another incarnation, that is learnt before the call fails, or is made once more.
     */
    private Future<Response> evaluate(Script called, Function<Request, Request> arguments, boolean repeated) {
        return send(arguments.apply(called.byDigest()))
                .recover(failure -> Script.Failure.of(failure) == Script.Failure.UNKNOWN_SCRIPT
                        ? send(arguments.apply(called.byText()))
                        : Future.failedFuture(failure))
                .recover(failure -> Script.Failure.of(failure) == Script.Failure.STALE_INCARNATION
                        ? connection
                                .identifyAgain()
                                .compose(identified ->
                                        repeated ? evaluate(called, arguments, false) : Future.failedFuture(failure))
                        : Future.failedFuture(failure));
    }

    /** Runs a script that no check waits for, within a time of its own. */
    CompletionStage<Response> run(Script other, Function<Request, Request> arguments, Duration within) {
        CompletableFuture<Response> result = new CompletableFuture<>();
        long timer = context.owner()
                .setTimer(
                        within.toMillis(),
                        late -> result.completeExceptionally(new RegionUnavailable("Redis did not answer in time")));
        evaluate(other, arguments, false).onComplete(answered -> {
            context.owner().cancelTimer(timer);
            if (answered.succeeded()) {
                result.complete(answered.result());
            } else {
                connection.failed(answered.cause());
                result.completeExceptionally(new RegionUnavailable("Redis failed: " + answered.cause()));
            }
        });
        return result;
    }

    private Future<Response> send(Request request) {
        return connection.get().compose(connected -> connected.send(request));
    }

    private void fail(List<Waiting> call, Throwable failure) {
        RegionUnavailable away = failure instanceof RegionUnavailable known ? known : notAsked(failure);
        call.forEach(waiting -> waiting.reply.completeExceptionally(away));
    }

    private RegionUnavailable notAsked(Throwable failure) {
        metrics.failed(RedisFailure.BREAKER);
        return new RegionUnavailable("Redis is not called: " + failure);
    }

    /** Partition of the groups of a turn into script calls: as few as possible, none too long, and in a cluster one per shard. */
    static final class Calls {
        private Calls() {}

        static <T> List<List<T>> split(
                List<T> turn, Function<T, List<CounterRequest>> group, RedisConfig config, LimitKeys keys) {
            List<List<T>> calls = new ArrayList<>();
            for (List<T> part : byNode(turn, group, config, keys)) {
                int asks = 0;
                int from = 0;
                for (int i = 0; i < part.size(); i++) {
                    int more = group.apply(part.get(i)).size();
                    if (asks + more > config.requestsPerCall() && i > from) {
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
                List<T> turn, Function<T, List<CounterRequest>> group, RedisConfig config, LimitKeys keys) {
            if (config.mode() != RedisClientType.CLUSTER) {
                return List.of(turn);
            }
            Map<Integer, List<T>> byShard = new LinkedHashMap<>();
            for (T each : turn) {
                int shard = keys.shard(group.apply(each).get(0).limit()).number();
                byShard.computeIfAbsent(shard, absent -> new ArrayList<>()).add(each);
            }
            return byShard.values();
        }
    }
}
