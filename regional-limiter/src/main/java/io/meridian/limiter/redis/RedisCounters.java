package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.redis.ClusterGroup.EscrowlessGroup;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionCounters.Backlog;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The region's counters in Redis, by one lane for each event loop. */
@Singleton
class RedisCounters implements RegionCounters, Backlog {
    private final Vertx vertx;
    private final RedisConfig config;
    private final RedisClients clients;
    private final RedisIncarnations incarnations;
    private final RedisBreaker breaker;
    private final RegionClock clock;
    private final TouchedShards touched;
    private final LimitKeys keys;
    private final TimeSource time;
    private final LimiterMetrics metrics;
    private final CounterScript script;
    private final ThreadLocal<EventLoopLane> lanes;
    /** Where callers outside any event loop ask. */
    private final Context outside;

    RedisCounters(
            Vertx vertx,
            RedisConfig config,
            RedisClients clients,
            RedisIncarnations incarnations,
            RedisBreaker breaker,
            RegionClock clock,
            TouchedShards touched,
            FloorOffers floors,
            LimitKeys keys,
            TimeSource time,
            LimiterMetrics metrics) {
        this.vertx = vertx;
        this.config = config;
        this.clients = clients;
        this.incarnations = incarnations;
        this.breaker = breaker;
        this.clock = clock;
        this.touched = touched;
        this.keys = keys;
        this.time = time;
        this.metrics = metrics;
        this.script = CounterScript.load(keys, floors);
        this.lanes = ThreadLocal.withInitial(this::lane);
        this.outside = vertx.getOrCreateContext();
    }

    @Override
    public CompletionStage<Reply> ask(List<CounterRequest> group) {
        if (!holdsEscrow() && EscrowlessGroup.isNeeded(group)) {
            return new EscrowlessGroup(group).ask(this::askRedis, clock.nowMicros());
        }
        return askRedis(group);
    }

    private CompletionStage<Reply> askRedis(List<CounterRequest> group) {
        touched.note(group);
        return onLane(lane -> ask(lane, group));
    }

    @Override
    public boolean holdsEscrow() {
        return config.mode() != RedisClientType.CLUSTER;
    }

    /** Sends a command of its own, within the same time budget. */
    CompletionStage<Optional<Response>> send(Request request) {
        return onLane(lane -> lane.sendAlone(request));
    }

    @Override
    public CompletionStage<Integer> backlogPercent() {
        List<CompletableFuture<Integer>> lanes =
                onEveryLane(lane -> CompletableFuture.completedFuture(lane.backlogPercent()));
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture<?>[]::new))
                .thenApply(done ->
                        lanes.stream().mapToInt(CompletableFuture::join).max().orElse(0));
    }

    /** Has every event loop do something on its lane. */
    <T> List<CompletableFuture<T>> onEveryLane(Function<EventLoopLane, CompletionStage<T>> work) {
        VertxInternal loops = (VertxInternal) vertx;
        List<CompletableFuture<T>> done = new ArrayList<>();
        for (EventExecutor loop : loops.getEventLoopGroup()) {
            Context context = loops.createEventLoopContext(
                    (EventLoop) loop,
                    loops.getWorkerPool(),
                    Thread.currentThread().getContextClassLoader());
            done.add(on(context, work));
        }
        return done;
    }

    <T> CompletionStage<T> onLane(Function<EventLoopLane, CompletionStage<T>> question) {
        if (Context.isOnEventLoopThread()) {
            return question.apply(lanes.get());
        }
        return on(outside, question);
    }

    private <T> CompletableFuture<T> on(Context context, Function<EventLoopLane, CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        context.runOnContext(ignored -> question.apply(lanes.get()).whenComplete((told, away) -> {
            if (away == null) {
                answer.complete(told);
            } else {
                answer.completeExceptionally(away);
            }
        }));
        return answer;
    }

    private CompletionStage<Reply> ask(EventLoopLane lane, List<CounterRequest> group) {
        boolean scattered = config.mode() == RedisClientType.CLUSTER && ClusterGroup.isScattered(group, keys);
        return scattered ? new ClusterGroup(group, keys, lane::ask).ask() : lane.ask(group);
    }

    private EventLoopLane lane() {
        Context context = VertxContext.getRootContext(vertx.getOrCreateContext());
        LaneConnection connection = new LaneConnection(clients.create(), config, incarnations, time);
        return new EventLoopLane(
                context, connection, script, incarnations, breaker, config, clock, time, metrics.redis());
    }
}
