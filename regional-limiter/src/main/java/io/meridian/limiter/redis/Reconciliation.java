package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.limiter.region.RegionStore;
import io.quarkus.scheduler.Scheduled;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Periodic repair of the region's keys, by one instance for all: keys without an end are given one, accounts that nobody would
 * report are counted. Scans a few keys at a time, and no longer than a bound.
 */
@Singleton
class Reconciliation {
    private static final Logger LOG = Logger.getLogger(Reconciliation.class);
    private static final String TURN = "reconciliation";
    private static final Duration TURN_LASTS = Duration.ofMinutes(4);
    private static final Duration WITHIN = Duration.ofSeconds(1);
    private static final int KEYS_AT_ONCE = 200;
    private static final int CALLS_MAX = 50_000;

    private final RedisCounters counters;
    private final RegionStore store;
    private final RedisMetrics metrics;
    private final ReplicaDrift replica;
    private final boolean cluster;
    private final Script script = Script.load(List.of("lib/call", "lib/account", "reconcile"));

    Reconciliation(
            RedisCounters counters,
            RegionStore store,
            RedisConfig config,
            LimiterMetrics metrics,
            ReplicaDrift replica) {
        this.counters = counters;
        this.store = store;
        this.metrics = metrics.redis();
        this.replica = replica;
        this.cluster = config.mode() == RedisClientType.CLUSTER;
    }

    /**
     * Result of a scan.
     *
     * @param endless keys that would have stayed for ever and now have an end
     * @param forgotten accounts with something to report that nobody would
     */
    record Found(long keys, long endless, long forgotten) {}

    /** A cluster cannot be scanned through one connection: there the sets of accounts alone say what is due. */
    @Scheduled(every = "${meridian.limiter.reconcile-every:5m}", delayed = "${meridian.limiter.reconcile-every:5m}")
    void run() throws InterruptedException {
        try {
            if (cluster || get(store.putIfAbsent(TURN, TURN, TURN_LASTS)).isPresent()) {
                return;
            }
            Found found = scan();
            metrics.reconciled(found.endless, found.forgotten);
            LOG.infof(
                    "the region's keys were reconciled: keys=%d endless=%d forgotten=%d",
                    found.keys, found.endless, found.forgotten);
        } catch (ExecutionException | TimeoutException away) {
            LOG.warnf("the region's keys cannot be reconciled now: reason=%s", away.getMessage());
            return;
        }
        compareReplica();
    }

    private void compareReplica() throws InterruptedException {
        try {
            replica.look().ifPresent(found -> {
                if (found.drifted() > 0) {
                    LOG.errorf(
                            "the replica of the region's Redis differs from it: compared=%d drifted=%d",
                            found.compared(), found.drifted());
                } else {
                    LOG.infof("the replica of the region's Redis has the same values: compared=%d", found.compared());
                }
            });
        } catch (ExecutionException | TimeoutException away) {
            LOG.warnf("the replica of the region's Redis cannot be compared now: reason=%s", away);
        }
    }

    Found scan() throws InterruptedException, ExecutionException, TimeoutException {
        String cursor = "0";
        long keys = 0;
        long endless = 0;
        long forgotten = 0;
        for (int calls = 0; calls < CALLS_MAX; calls++) {
            Request next = Request.cmd(Command.SCAN).arg(cursor).arg("COUNT").arg(KEYS_AT_ONCE);
            Response page = get(counters.send(next)).orElseThrow();
            Response some = page.get(1);
            if (some.size() > 0) {
                Response seen = get(counters.onLane(lane -> lane.run(script, request -> told(request, some), WITHIN)));
                keys += some.size();
                endless += seen.get(0).toLong();
                forgotten += seen.get(1).toLong();
            }
            cursor = page.get(0).toString(StandardCharsets.US_ASCII);
            if (cursor.equals("0")) {
                break;
            }
        }
        return new Found(keys, endless, forgotten);
    }

    private static Request told(Request request, Response keys) {
        request.arg(keys.size());
        keys.forEach(key -> request.arg(key.toBytes()));
        return request.arg("0").arg("");
    }

    private static <T> T get(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }
}
