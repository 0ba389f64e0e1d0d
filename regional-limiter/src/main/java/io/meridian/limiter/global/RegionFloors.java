package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.region.Ports.FloorOffers;
import io.meridian.limiter.region.RegionClock;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.FloorRight;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * Floors of this region, as leaders committed them: for each partition the ranges of windows in which the region may spend its
 * floor. Written by the thread that reads verdicts, read by every check of a limit in escrow.
 */
@Singleton
public class RegionFloors implements FloorOffers {
    /** Of one partition, the latest ranges. An incarnation has one, and the one before may be needed until all instances know the next. */
    private static final int RANGES_MAX = 8;
    /** A little less than a region keeps its account of a window after its end: what was spent of an older one may be forgotten. */
    private static final long ACCOUNT_KEPT_MICROS = TimeUnit.MINUTES.toMicros(9);

    private static final long MONTH_MICROS = TimeUnit.DAYS.toMicros(31);

    private final String region;
    private final LimitKeys keys;
    private final LongSupplier nowMicros;
    private volatile AtomicReferenceArray<List<FloorRight>> byPartition = none(1);
    private volatile long latestMicros;

    @Inject
    public RegionFloors(LimiterConfig config, LimitKeys keys, RegionClock clock) {
        this(config.region(), keys, clock::nowMicros);
    }

    /** @param nowMicros the region's time */
    public RegionFloors(String region, LimitKeys keys, LongSupplier nowMicros) {
        this.region = region;
        this.keys = keys;
        this.nowMicros = nowMicros;
    }

    private static AtomicReferenceArray<List<FloorRight>> none(int partitions) {
        AtomicReferenceArray<List<FloorRight>> none = new AtomicReferenceArray<>(partitions);
        for (int i = 0; i < partitions; i++) {
            none.set(i, List.of());
        }
        return none;
    }

    /** The verdicts topic has so many partitions. */
    public void partitions(int count) {
        if (byPartition.length() != count) {
            byPartition = none(count);
        }
    }

    /**
     * Takes in what a leader committed. Of one range the latest end counts. A leader with another key secret has other limits in this
     * partition than this limiter, so nobody would count what is spent of its floors.
     */
    public void heard(int partition, FloorRight right) {
        if (!right.incarnation().region().equals(region) || right.secretCheck() != keys.secretCheck()) {
            return;
        }
        AtomicReferenceArray<List<FloorRight>> all = byPartition;
        List<FloorRight> next = new ArrayList<>();
        FloorRight latest = right;
        for (FloorRight known : all.get(partition)) {
            if (!known.isSameRange(right)) {
                next.add(known);
            } else if (known.untilMicros() > right.untilMicros()) {
                latest = known;
            }
        }
        next.add(latest);
        all.set(partition, List.copyOf(next.subList(Math.max(0, next.size() - RANGES_MAX), next.size())));
    }

    @Override
    public FloorOffer offer(Limit limit, long incarnation) {
        Policy policy = limit.policy();
        Coordination coordination = policy.coordination();
        AtomicReferenceArray<List<FloorRight>> all = byPartition;
        List<FloorRight> rights = all.get(keys.shard(limit).partition(all.length()));
        if (rights.isEmpty() || coordination.floorPercent() == 0 || mayCarry(coordination)) {
            return FloorOffer.NONE;
        }
        long now = nowMicros.getAsLong();
        if (now > latestMicros) {
            latestMicros = now;
        }
        Window window = limit.quota().window();
        long start = window.startMicros(now);
        for (int i = rights.size() - 1; i >= 0; i--) {
            FloorRight right = rights.get(i);
            if (right.covers(start) && right.incarnation().number() == incarnation) {
                long units = right.units(limit.quota().capacity(), coordination.floorPercent());
                return new FloorOffer(
                        Math.min(units, WindowAccount.MAX),
                        Math.max(right.fromMicros(), earliest(policy, window)),
                        right.untilMicros());
            }
        }
        return FloorOffer.NONE;
    }

    /** Usage carried into a window lowers its limit, and with it the floors: leaders know how much is carried, regions do not. */
    private static boolean mayCarry(Coordination coordination) {
        return coordination.afterHeal() == AfterHeal.CARRY && !(coordination.onExhausted() instanceof OnExhausted.Deny);
    }

    /**
     * The earliest start of a window in which a floor may be decided on. Not one that began before the policy was changed: if its window was
     * shorter then, the floor may have been spent already under an account that is gone. Nor one whose account may have ended, where the region's
     * clock was set back.
     */
    private long earliest(Policy policy, Window window) {
        long length = window instanceof Window.Span span ? span.micros() : MONTH_MICROS;
        long kept = latestMicros - length - ACCOUNT_KEPT_MICROS;
        Instant changed = policy.revision().updatedAt();
        long since = policy.revision().version() > 1
                ? TimeUnit.SECONDS.toMicros(changed.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(changed.getNano())
                : 0;
        return Math.max(kept, since);
    }
}
