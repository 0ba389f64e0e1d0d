package io.meridian.limiter.usage;

import io.meridian.limiter.decide.Usage;
import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What this instance took of its region's own limits, by window, in memory: for the record, and to charge a Redis that lost its
 * counters. The sum over the instances is the region's use, so each instance counts as a life of its own. What an instance took
 * in the last seconds before it was killed is not on record. Bounded: beyond it nothing is added.
 */
final class RegionalTallies implements Usage {
    private static final long LATE_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final int limitsMax;
    private final Map<LimitWindow, Tally> tallies = new ConcurrentHashMap<>();
    private volatile boolean kept = true;

    RegionalTallies(int limitsMax) {
        this.limitsMax = limitsMax;
    }

    /** Keeps no accounts any more: nobody reads them. */
    void stop() {
        kept = false;
        tallies.clear();
    }

    private static final class Tally {
        private volatile Limit limit;
        private final long endMicros;
        private final AtomicLong taken = new AtomicLong();
        private final AtomicLong returned = new AtomicLong();
        private UsageCount told = UsageCount.ZERO;

        Tally(Limit limit, long endMicros) {
            this.limit = limit;
            this.endMicros = endMicros;
        }

        UsageCount count() {
            long back = returned.get();
            return new UsageCount(Math.max(back, taken.get()), back);
        }
    }

    @Override
    public void took(Limit limit, long units, long takenMicros) {
        Tally tally = tally(limit, takenMicros);
        if (tally != null) {
            tally.limit = limit;
            tally.taken.addAndGet(units);
        }
    }

    @Override
    public void gaveBack(Limit limit, long units, long takenMicros) {
        Tally tally = tally(limit, takenMicros);
        if (tally != null) {
            tally.returned.updateAndGet(before -> Math.min(tally.taken.get(), before + units));
        }
    }

    private @Nullable Tally tally(Limit limit, long takenMicros) {
        if (!kept || limit.policy().coordination().scope() != Scope.REGIONAL) {
            return null;
        }
        Window window = limit.terms().window();
        long start = window.startMicros(takenMicros);
        LimitWindow id = new LimitWindow(limit.policy().id(), limit.key(), start);
        Tally known = tallies.get(id);
        if (known != null || tallies.size() >= limitsMax) {
            return known;
        }
        return tallies.computeIfAbsent(id, absent -> new Tally(limit, window.endMicros(start)));
    }

    /** What has changed since it was last told. */
    List<UsageRecord> changed(RegionLife life, long nowMicros, int max) {
        List<UsageRecord> changed = new ArrayList<>();
        for (Map.Entry<LimitWindow, Tally> entry : tallies.entrySet()) {
            Tally tally = entry.getValue();
            UsageCount count = tally.count();
            if (changed.size() < max && !count.equals(tally.told)) {
                WindowRule rule =
                        WindowRule.of(tally.limit.policy(), tally.limit.terms().capacity());
                changed.add(new UsageRecord(entry.getKey(), life, rule, count, 0, 0, 0, nowMicros));
            }
        }
        return changed;
    }

    /** The log has these; what is over and told is forgotten, a while later: what the fallback admitted is told of only then. */
    void told(List<UsageRecord> records, long nowMicros) {
        for (UsageRecord record : records) {
            Tally tally = tallies.get(record.limit());
            if (tally != null) {
                tally.told = record.count();
            }
        }
        // While there is room: one that is forgotten begins at zero, and the log would take that for what it knows
        // already.
        long over = tallies.size() > limitsMax / 2 ? nowMicros : nowMicros - LATE_MICROS;
        tallies.values()
                .removeIf(tally -> tally.endMicros < over && tally.count().equals(tally.told));
    }

    /** What a Redis that lost its counters must be charged with. */
    List<Ask.Settle> open(long nowMicros) {
        List<Ask.Settle> open = new ArrayList<>();
        tallies.values().forEach(tally -> {
            long used = tally.count().net();
            if (tally.endMicros > nowMicros && used > 0) {
                open.add(new Ask.Settle(tally.limit, used, nowMicros));
            }
        });
        return open;
    }
}
