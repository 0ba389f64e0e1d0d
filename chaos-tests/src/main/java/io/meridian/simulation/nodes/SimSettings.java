package io.meridian.simulation.nodes;

import io.meridian.limiter.LimiterConfig.FallbackConfig;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Production's default settings, and metrics without readers, one instance of each per thread. */
public final class SimSettings {
    public static final LeaseConfig LEASES = defaults(LeaseConfig.class, Map.of());
    static final LeaseConfig LEASES_WITHOUT_WAITING =
            defaults(LeaseConfig.class, Map.of("meridian.limiter.leases.grant-wait", "0"));
    public static final FallbackConfig FALLBACK = defaults(FallbackConfig.class, Map.of());
    /** A check waits for Redis no longer than 20 ms. */
    public static final RedisConfig REDIS =
            defaults(RedisConfig.class, Map.of("meridian.limiter.redis.budget", "20ms"));

    static final UsageConfig USAGE = defaults(UsageConfig.class, Map.of());
    /**
     * The same in every history, so that a seed determines it. With this secret limits have the partitions that they had before shards had a
     * secret, so that seeds recorded then still mean the same histories.
     */
    static final KeySecret SECRET = KeySecret.parse("0000000000000000f495080000000000");

    public static final LimitKeys KEYS = new LimitKeys(SECRET);

    private static final int ORDINAL = 200;
    private static final Map<String, SyncConfig> SYNC = new ConcurrentHashMap<>();
    private static final ThreadLocal<LimiterMetrics> LIMITER_METRICS =
            ThreadLocal.withInitial(() -> new LimiterMetrics(new SimpleMeterRegistry()));
    private static final ThreadLocal<SyncMetrics> SYNC_METRICS =
            ThreadLocal.withInitial(() -> new SyncMetrics(new SimpleMeterRegistry()));
    private static final ThreadLocal<RegionStats> REGIONS = ThreadLocal.withInitial(
            () -> new RegionStats(TimeSource.system(), sync("nobody"), new SimpleMeterRegistry()));

    private SimSettings() {}

    public static SyncConfig sync(String replica) {
        return SYNC.computeIfAbsent(replica, name -> defaults(SyncConfig.class, Map.of("meridian.sync.replica", name)));
    }

    public static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    static LimiterMetrics limiterMetrics() {
        return LIMITER_METRICS.get();
    }

    static SyncMetrics syncMetrics() {
        return SYNC_METRICS.get();
    }

    public static RegionStats regions() {
        return REGIONS.get();
    }

    private static <T> T defaults(Class<T> kind, Map<String, String> set) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, ORDINAL, new DurationConverter())
                .withMapping(kind)
                .withDefaultValues(set)
                .build()
                .getConfigMapping(kind);
    }
}
