package io.meridian.limiter.global;

import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Accounts of what this instance took of its region's own limits, by window, in memory: for reports, and to charge a Redis that
 * lost its counters. The sum over the instances is the region's use, so each instance counts as an incarnation of its own. What an instance
 * took in the last seconds before it was killed is not on record. Bounded: beyond it nothing is added, and what was not is counted.
 */
final class RegionalTallies implements UsageAccounts {
    private static final long LATE_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final int limitsMax;
    private final LongConsumer dropped;
    private final Map<LimitWindow, Tally> tallies = new ConcurrentHashMap<>();
    private volatile boolean kept = true;

    /** @param dropped told of units that are not on record, because there are too many limits */
    RegionalTallies(int limitsMax, LongConsumer dropped) {
        this.limitsMax = limitsMax;
        this.dropped = dropped;
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
        private volatile UsageCount told = UsageCount.ZERO;

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
    public void charged(Limit limit, long units, long takenMicros) {
        if (!isKept(limit)) {
            return;
        }
        Tally tally = tally(limit, takenMicros);
        if (tally == null) {
            dropped.accept(units);
        } else {
            tally.limit = limit;
            tally.taken.addAndGet(units);
        }
    }

    @Override
    public void refunded(Limit limit, long units, long takenMicros) {
        Tally tally = isKept(limit) ? tally(limit, takenMicros) : null;
        if (tally != null) {
            tally.returned.updateAndGet(before -> Math.min(tally.taken.get(), before + units));
        }
    }

    private boolean isKept(Limit limit) {
        return kept && limit.policy().coordination().scope() == Scope.REGIONAL;
    }

    private @Nullable Tally tally(Limit limit, long takenMicros) {
        Window window = limit.quota().window();
        long start = window.startMicros(takenMicros);
        LimitWindow id = new LimitWindow(limit.policy().id(), limit.key(), start);
        Tally known = tallies.get(id);
        if (known != null || tallies.size() >= limitsMax) {
            return known;
        }
        return tallies.computeIfAbsent(id, absent -> new Tally(limit, window.endMicros(start)));
    }

    /** How many limits and windows are accounted for. */
    int size() {
        return tallies.size();
    }

    /** A look at all of them, some at a time, that finds each that has changed and forgets what is over and told. */
    Pass pass(RegionIncarnation incarnation, long nowMicros) {
        return new Pass(incarnation, nowMicros);
    }

    /** One pass over all tallies. For one thread. */
    final class Pass {
        private final RegionIncarnation incarnation;
        private final long nowMicros;
        private final long overMicros;
        private final Iterator<Map.Entry<LimitWindow, Tally>> all =
                tallies.entrySet().iterator();

        private Pass(RegionIncarnation incarnation, long nowMicros) {
            this.incarnation = incarnation;
            this.nowMicros = nowMicros;
            // Kept a while longer if there is room: what the fallback admitted is told of late, and one that is
            // forgotten begins at
            // zero, which the log would take for what it knows already.
            this.overMicros = tallies.size() > limitsMax / 2 ? nowMicros : nowMicros - LATE_MICROS;
        }

        /** The next ones that have changed since they were last told, at most so many; none when all were looked at. */
        List<UsageRecord> next(int max) {
            List<UsageRecord> changed = new ArrayList<>();
            while (changed.size() < max && all.hasNext()) {
                Map.Entry<LimitWindow, Tally> entry = all.next();
                Tally tally = entry.getValue();
                UsageCount count = tally.count();
                if (!count.equals(tally.told)) {
                    WindowRule rule = WindowRule.of(
                            tally.limit.policy(), tally.limit.quota().capacity());
                    changed.add(new UsageRecord(entry.getKey(), incarnation, rule, count, 0, 0, 0, nowMicros));
                } else if (tally.endMicros < overMicros) {
                    all.remove();
                }
            }
            return changed;
        }
    }

    /** The log has these. */
    void told(List<UsageRecord> records) {
        for (UsageRecord record : records) {
            Tally tally = tallies.get(record.limit());
            if (tally != null) {
                tally.told = record.count();
            }
        }
    }

    /** Charges for a Redis that lost its counters: the net usage of each open window. */
    List<CounterRequest.Charge> open(long nowMicros) {
        List<CounterRequest.Charge> open = new ArrayList<>();
        tallies.values().forEach(tally -> {
            long used = tally.count().net();
            if (tally.endMicros > nowMicros && used > 0) {
                open.add(new CounterRequest.Charge(tally.limit, used, nowMicros));
            }
        });
        return open;
    }
}
