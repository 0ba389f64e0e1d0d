package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Start-up connection and recovery probe of Redis. Before the first check every event loop connects and runs the script; else the first
 * check of each would wait for that, run out of its time and be answered by the fallback. While the breaker is open, a probe every
 * {@code probe-every} finds out whether Redis is back, so that checks need not wait for the end of the breaker's delay. The probe takes
 * from a counter of no policy: as much work as a check, and a server that only reads does not answer it.
 */
@Singleton
class RedisHealth {
    private static final Logger LOG = Logger.getLogger(RedisHealth.class);
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(2);
    /** On a busy machine the first ping of a process that just started may be late, and says nothing of Redis. */
    private static final int PINGS_MAX = 10;

    private static final Policy PROBE_POLICY =
            Policy.of("meridian-probe", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 1_000_000, Window.parse("1s"));
    /** Expires within seconds. */
    static final List<CounterRequest> PROBE = List.of(new CounterRequest.Take(
            new Limit(PROBE_POLICY, PROBE_POLICY.limitSpec().quota(), "", 1, 1), 1, 0, 0));

    private final Vertx vertx;
    private final RedisConfig config;
    private final RedisCounters counters;
    private final RedisBreaker breaker;

    RedisHealth(Vertx vertx, RedisConfig config, RedisCounters counters, RedisBreaker breaker) {
        this.vertx = vertx;
        this.config = config;
        this.counters = counters;
        this.breaker = breaker;
    }

    void start(@Observes StartupEvent started) throws InterruptedException {
        connect();
        vertx.setPeriodic(config.breaker().probeEvery().toMillis(), due -> {
            if (breaker.isOpen()) {
                counters.onLane(EventLoopLane::probe).thenAccept(back -> {
                    if (back) {
                        breaker.close();
                    }
                });
            }
        });
    }

    private void connect() throws InterruptedException {
        CompletableFuture<?>[] lanes =
                counters.onEveryLane(lane -> connected(lane, PINGS_MAX)).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(lanes).get(CONNECTED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.warnf(
                    "Redis did not answer at the start; checks are decided without it until it does: reason=%s", away);
        }
    }

    /** Pings first, so that no breaker opens before there was a check. */
    private static CompletionStage<RegionCounters.Reply> connected(EventLoopLane lane, int pings) {
        return lane.sendAlone(Request.cmd(Command.PING))
                .handle((pong, away) -> away)
                .thenCompose(away -> {
                    if (away == null) {
                        return lane.ask(PROBE);
                    }
                    return pings > 1 ? connected(lane, pings - 1) : CompletableFuture.failedFuture(away);
                });
    }
}
