package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.lane.CounterLane;
import io.meridian.limiter.lane.LaneTransport;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Pipelined calls of one event loop to Redis: the transport of its {@link CounterLane}, and commands and scripts that no check waits for.
 * Everything here runs on that event loop.
 */
final class EventLoopLane {
    private final Context context;
    private final LaneConnection connection;
    private final CounterScript script;
    private final RedisIncarnations incarnations;
    private final RedisBreaker breaker;
    private final RedisConfig config;
    private final TimeSource time;
    private final CounterLane counters;
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
        this.time = time;
        this.counters =
                new CounterLane(new Transport(), breaker::guard, incarnations.tracker(), config, clock, time, metrics);
    }

    /** Asks with all others of this turn. In a cluster all requests of a group are in one slot. */
    CompletionStage<Reply> ask(List<CounterRequest> group) {
        return counters.ask(group);
    }

    /** How full the fuller of the two queues is: of checks that wait for a call, and of calls that wait for their answer. */
    int backlogPercent() {
        return counters.backlogPercent();
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
        Runnable revoke = counters.limit(result);
        send(request).onComplete(answered -> {
            aloneInFlight--;
            revoke.run();
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
        counters.count(List.of(RedisHealth.PROBE)).whenComplete((counted, failure) -> {
            probing = false;
            if (failure != null) {
                connection.failed(failure);
            }
            long tookNanos = time.monotonicNanos() - sentNanos;
            inTime.complete(failure == null && tookNanos <= config.budget().toNanos());
        });
        return inTime;
    }

    /** Runs a script that no check waits for, within a time of its own. */
    CompletionStage<Response> run(Script other, Function<Request, Request> arguments, Duration within) {
        CompletableFuture<Response> result = new CompletableFuture<>();
        long timer = context.owner()
                .setTimer(
                        within.toMillis(),
                        late -> result.completeExceptionally(new RegionUnavailable("Redis did not answer in time")));
        counters.inIncarnation(() -> evaluate(other, arguments).toCompletionStage(), false)
                .whenComplete((answer, failure) -> {
                    context.owner().cancelTimer(timer);
                    if (failure == null) {
                        result.complete(answer);
                    } else {
                        connection.failed(failure);
                        result.completeExceptionally(new RegionUnavailable("Redis failed: " + failure));
                    }
                });
        return result;
    }

    /** Calls a script. A server that does not know it, because it was restarted or another took over, is sent its text. */
    private Future<Response> evaluate(Script called, Function<Request, Request> arguments) {
        return send(arguments.apply(called.byDigest()))
                .recover(failure -> Script.Failure.of(failure) == Script.Failure.UNKNOWN_SCRIPT
                        ? send(arguments.apply(called.byText())).recover(EventLoopLane::stale)
                        : stale(failure));
    }

    private static Future<Response> stale(Throwable failure) {
        return Future.failedFuture(
                Script.Failure.of(failure) == Script.Failure.STALE_INCARNATION
                        ? new LaneTransport.StaleIncarnation(String.valueOf(failure.getMessage()))
                        : failure);
    }

    private Future<Response> send(Request request) {
        return connection.get().compose(connected -> connected.send(request));
    }

    /** The event loop and its connection, as the lane of counters uses them. */
    private final class Transport implements LaneTransport {
        @Override
        public void atEndOfTurn(Runnable task) {
            context.runOnContext(ignored -> task.run());
        }

        @Override
        public Runnable after(Duration waited, Runnable task) {
            long timer = context.owner().setTimer(waited.toMillis(), ignored -> task.run());
            return () -> context.owner().cancelTimer(timer);
        }

        @Override
        public Duration patience() {
            return connection.patience();
        }

        @Override
        public void known() {
            connection.known();
        }

        @Override
        public void failed(Throwable failure) {
            connection.failed(failure);
        }

        @Override
        public int node(List<CounterRequest> group) {
            return config.mode() == RedisClientType.CLUSTER
                    ? script.keys().shard(group.get(0).limit()).number()
                    : 0;
        }

        @Override
        public CompletionStage<Counted> count(List<List<CounterRequest>> groups) {
            return connection
                    .get()
                    .compose(connected -> {
                        StoredIncarnation named = incarnations.current();
                        return evaluate(script.script(), request -> script.arguments(request, groups, named))
                                .map(response -> new Counted(
                                        script.read(response, groups),
                                        named == null ? OptionalLong.empty() : OptionalLong.of(named.number())));
                    })
                    .toCompletionStage();
        }

        @Override
        public CompletionStage<RedisConnection> identifyAgain() {
            return connection.identifyAgain().toCompletionStage();
        }
    }
}
