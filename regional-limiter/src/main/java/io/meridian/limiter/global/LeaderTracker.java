package io.meridian.limiter.global;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.VerdictRecord;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Contact with the leaders: when each was last heard of, how fast each limit is used everywhere, and how long the loop takes. What
 * may be admitted above a converging limit follows: its rate times the loop delay.
 */
@Singleton
public class LeaderTracker implements LeaderContact {
    private static final int RATES_MAX = 100_000;
    private static final Duration RATE_BELIEVED = Duration.ofSeconds(10);
    private static final double MILLIS_PER_SECOND = 1_000;

    private final TimeSource time;
    private final LimitKeys keys;
    private final UsageMetrics metrics;
    private final long cutOffNanos;
    private final Cache<LimitId, Long> ratesPerSecond;
    private final Map<Integer, String> leaders = new ConcurrentHashMap<>();
    private volatile AtomicLongArray heardNanos;
    private volatile double loopMillis;

    public LeaderTracker(UsageConfig config, LimitKeys keys, TimeSource time, LimiterMetrics metrics) {
        this.time = time;
        this.keys = keys;
        this.metrics = metrics.usage();
        this.cutOffNanos = config.cutOffAfter().toNanos();
        this.ratesPerSecond = Caffeine.newBuilder()
                .maximumSize(RATES_MAX)
                .expireAfterWrite(RATE_BELIEVED)
                .executor(Runnable::run)
                .build();
        this.heardNanos = never(1);
        this.metrics.leader(this::longestSilentMillis, this::excessMax);
    }

    /** The topic has so many partitions, each with a leader. */
    public void partitions(int count) {
        if (heardNanos.length() != count) {
            heardNanos = never(count);
            leaders.clear();
        }
    }

    private AtomicLongArray never(int count) {
        AtomicLongArray never = new AtomicLongArray(count);
        // Nobody is cut off before there was time to be heard.
        long sinceNow = time.monotonicNanos();
        for (int i = 0; i < count; i++) {
            never.set(i, sinceNow);
        }
        return never;
    }

    public void heard(int partition) {
        heardNanos.set(partition % heardNanos.length(), time.monotonicNanos());
    }

    public void heard(VerdictRecord verdict) {
        ratesPerSecond.put(
                new LimitId(verdict.limit().policyId(), verdict.limit().key()), verdict.ratePerSecond());
    }

    /** Records which replica leads a partition, as its beat says. */
    void beat(int partition, LeaderBeat beat) {
        leaders.put(partition, beat.replica());
    }

    void looped(long micros) {
        metrics.looped(micros);
    }

    /**
     * To be called now and then: the percentiles of the last minute are not looked up for every answer. Where nothing went around
     * lately the last measure stands: a bound by a loop that takes no time would be too small.
     */
    void refresh() {
        double p99 = metrics.loopDelay().p99();
        if (p99 > 0) {
            loopMillis = p99;
        }
    }

    @Override
    public long stalenessMillis(Limit limit) {
        return TimeUnit.NANOSECONDS.toMillis(silentNanos(limit));
    }

    @Override
    public boolean isReachable(Limit limit) {
        return silentNanos(limit) < cutOffNanos;
    }

    @Override
    public long boundUnits(Limit limit) {
        long capacity = limit.quota().capacity();
        if (SharingMode.of(limit.policy()) == SharingMode.ESCROW) {
            return capacity;
        }
        Long rate = ratesPerSecond.getIfPresent(LimitId.of(limit));
        return capacity + (rate == null ? 0 : excess(rate));
    }

    @Override
    public InstanceReport.Loop loop() {
        UsageMetrics.LoopDelay delay = metrics.loopDelay();
        return new InstanceReport.Loop(
                micros(delay.p50()),
                micros(delay.p99()),
                micros(delay.max()),
                TimeUnit.MILLISECONDS.toMicros(longestSilentMillis()),
                excessMax());
    }

    @Override
    public SortedMap<Integer, String> leaders() {
        AtomicLongArray heard = heardNanos;
        long nowNanos = time.monotonicNanos();
        SortedMap<Integer, String> present = new TreeMap<>();
        leaders.forEach((partition, replica) -> {
            if (partition < Math.min(heard.length(), InstanceReport.PARTITIONS_MAX)
                    && nowNanos - heard.get(partition) < cutOffNanos) {
                present.put(partition, replica);
            }
        });
        return present;
    }

    private static long micros(double millis) {
        return (long) (millis * MILLIS_PER_SECOND);
    }

    private long excess(long ratePerSecond) {
        return (long) Math.ceil(ratePerSecond * loopMillis / MILLIS_PER_SECOND);
    }

    private long excessMax() {
        return excess(ratesPerSecond.asMap().values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0));
    }

    private long silentNanos(Limit limit) {
        AtomicLongArray heard = heardNanos;
        return time.monotonicNanos() - heard.get(keys.shard(limit).partition(heard.length()));
    }

    private long longestSilentMillis() {
        AtomicLongArray heard = heardNanos;
        long nowNanos = time.monotonicNanos();
        long longest = 0;
        for (int i = 0; i < heard.length(); i++) {
            longest = Math.max(longest, nowNanos - heard.get(i));
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }
}
