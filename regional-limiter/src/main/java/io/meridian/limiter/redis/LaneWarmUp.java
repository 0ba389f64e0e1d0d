package io.meridian.limiter.redis;

import io.meridian.limiter.region.RegionCounters;
import io.quarkus.runtime.StartupEvent;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Has every event loop connect to Redis and run the script before the first check is taken. Else the first check of each would
 * wait for that, run out of its time and be answered by the fallback, though Redis is well.
 */
@Singleton
class LaneWarmUp {
    private static final Logger LOG = Logger.getLogger(LaneWarmUp.class);
    private static final Duration WITHIN = Duration.ofSeconds(2);
    /** Of a process that just started the first may be too late on a busy machine, and says nothing of Redis. */
    private static final int PINGS_MAX = 10;

    private final RedisCounters counters;

    LaneWarmUp(RedisCounters counters) {
        this.counters = counters;
    }

    void start(@Observes StartupEvent started) throws InterruptedException {
        CompletableFuture<?>[] lanes =
                counters.onEveryLane(lane -> warmed(lane, PINGS_MAX)).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(lanes).get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.warnf(
                    "Redis did not answer at the start; checks are decided without it until it does: reason=%s", away);
        }
    }

    /** Who is not there is not asked, so that no breaker opens before there was a check. */
    private static CompletionStage<RegionCounters.Reply> warmed(EventLoopLane lane, int pings) {
        return lane.sendAlone(Request.cmd(Command.PING))
                .handle((pong, away) -> away)
                .thenCompose(away -> {
                    if (away == null) {
                        return lane.ask(RedisProbe.ASK);
                    }
                    return pings > 1 ? warmed(lane, pings - 1) : CompletableFuture.failedFuture(away);
                });
    }
}
