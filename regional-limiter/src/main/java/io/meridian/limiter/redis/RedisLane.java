package io.meridian.limiter.redis;

import io.meridian.limiter.decide.Late;
import io.meridian.limiter.decide.RegionAway;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.decide.RegionCounters.Reply;
import io.meridian.limiter.metrics.RedisFailure;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop asks of Redis: the groups of one turn share a script call, over the loop's one pipelined connection.
 * Everything here runs on that event loop. A call is given its time budget, a check at most two of them: one for the call
 * on its way and one for its own. Nothing queues without a bound.
 */
final class RedisLane {
    private final Context context;
    private final LaneConnection connection;
    private final TurnScript script;
    private final RegionLives lives;
    private final RedisBreaker breaker;
    private final RedisConfig config;
    private final RegionClock clock;
    private final TimeSource time;
    private final RedisMetrics metrics;
    private List<Waiting> turn = new ArrayList<>();
    private int callsInFlight;
    private int aloneInFlight;
    private boolean probing;

    RedisLane(
            Context context,
            LaneConnection connection,
            TurnScript script,
            RegionLives lives,
            RedisBreaker breaker,
            RedisConfig config,
            RegionClock clock,
            TimeSource time,
            RedisMetrics metrics) {
        this.context = context;
        this.connection = connection;
        this.script = script;
        this.lives = lives;
        this.breaker = breaker;
        this.config = config;
        this.clock = clock;
        this.time = time;
        this.metrics = metrics;
    }

    private record Waiting(List<CounterRequest> group, CompletableFuture<Reply> reply) {}

    /** Asks with all others of this turn. In a cluster all asks of a group are in one slot. */
    CompletionStage<Reply> ask(List<CounterRequest> group) {
        if (turn.size() >= config.groupsPerTurn()) {
            metrics.failed(RedisFailure.REFUSED);
            return CompletableFuture.failedFuture(new RegionAway("too many checks wait for Redis"));
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
            result.completeExceptionally(new RegionAway("Redis is not asked"));
            return result;
        }
        aloneInFlight++;
        long timer = timer(result);
        send(request).onComplete(answered -> {
            aloneInFlight--;
            context.owner().cancelTimer(timer);
            if (answered.failed()) {
                connection.failed(answered.cause());
                result.completeExceptionally(new RegionAway("Redis failed: " + answered.cause()));
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
        evaluate(List.of(RedisProbe.ASK)).onComplete(answered -> {
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
            if (result.completeExceptionally(new RegionAway("Redis did not answer in time"))) {
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
            fail(call, new RegionAway("too many calls wait for Redis"));
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
        Life life = lives.current();
        metrics.called(groups.stream().mapToInt(List::size).sum());
        evaluate(groups).onComplete(answered -> {
            context.owner().cancelTimer(timer);
            if (answered.failed()) {
                metrics.failed(RedisFailure.ERROR);
                connection.failed(answered.cause());
                result.completeExceptionally(new RegionAway("Redis failed: " + answered.cause()));
                return;
            }
            connection.known();
            metrics.answered(time.monotonicNanos() - sentNanos);
            List<Reply> replies = script.read(answered.result(), groups);
            clock.learn(replies.get(0).nowMicros(), sentNanos);
            // What was taken in a life that is over cannot be given back to the next.
            if (!result.complete(replies) && Objects.equals(life, lives.current())) {
                Late.returns(groups, replies).forEach(this::ask);
            }
        });
        return result;
    }

    private Future<Response> evaluate(List<List<CounterRequest>> groups) {
        return connection
                .get()
                .compose(connected -> evaluate(groups, lives.current()))
                .recover(failure -> {
                    return isOfAnotherLife(failure) ? evaluateAnew(groups, failure) : Future.failedFuture(failure);
                });
    }

    private static boolean isOfAnotherLife(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains(RegionLives.ANOTHER);
    }

    /** What gives something back speaks of the life before, and is not asked of the next. */
    private Future<Response> evaluateAnew(List<List<CounterRequest>> groups, Throwable failure) {
        boolean givesBack = groups.stream().anyMatch(group -> group.stream().anyMatch(CounterRequest.Refund.class::isInstance));
        return connection
                .greetAgain()
                .compose(greeted -> givesBack ? Future.failedFuture(failure) : evaluate(groups, lives.current()));
    }

    /** A server that does not know the script, because it was restarted or another took over, is sent its text. */
    private Future<Response> evaluate(List<List<CounterRequest>> groups, @Nullable Life life) {
        return send(script.toAsk(groups, life)).recover(failure -> {
            String message = String.valueOf(failure.getMessage());
            return message.startsWith("NOSCRIPT")
                    ? send(script.toAskWithText(groups, life))
                    : Future.failedFuture(failure);
        });
    }

    /** Runs a script that no check waits for, of this life of the region's data, within the time it needs. */
    CompletionStage<Response> run(Script other, Function<Request, Request> told, Duration within) {
        CompletableFuture<Response> result = new CompletableFuture<>();
        long timer = context.owner()
                .setTimer(
                        within.toMillis(),
                        late -> result.completeExceptionally(new RegionAway("Redis did not answer in time")));
        send(told.apply(other.byDigest()))
                .recover(failure -> String.valueOf(failure.getMessage()).startsWith("NOSCRIPT")
                        ? send(told.apply(other.byText()))
                        : Future.failedFuture(failure))
                .onComplete(answered -> {
                    context.owner().cancelTimer(timer);
                    if (answered.succeeded()) {
                        result.complete(answered.result());
                    } else if (isOfAnotherLife(answered.cause())) {
                        // Nobody's check may notice it, so the next life is learnt here; the call is repeated in its
                        // own time.
                        connection
                                .greetAgain()
                                .onComplete(greeted -> result.completeExceptionally(
                                        new RegionAway("the region's data is of another life")));
                    } else {
                        connection.failed(answered.cause());
                        result.completeExceptionally(new RegionAway("Redis failed: " + answered.cause()));
                    }
                });
        return result;
    }

    private Future<Response> send(Request request) {
        return connection.get().compose(connected -> connected.send(request));
    }

    private void fail(List<Waiting> call, Throwable failure) {
        RegionAway away = failure instanceof RegionAway known ? known : notAsked(failure);
        call.forEach(waiting -> waiting.reply.completeExceptionally(away));
    }

    private RegionAway notAsked(Throwable failure) {
        metrics.failed(RedisFailure.BREAKER);
        return new RegionAway("Redis is not asked: " + failure);
    }
}
