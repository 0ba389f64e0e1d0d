package io.meridian.limiter.global;

import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.metrics.UsageMetrics.UsageLoss;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.counter.CounterRequest;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

/**
 * Charges of a Redis that lost its counters with what this instance took of the region's own limits, some at a time, so that no
 * check waits for it. What is not answered is charged again: rather twice than not at all, and never above the limit. Bounded: what
 * is beyond it is not charged, and counted.
 */
final class LostCounterCharges {
    private static final int PER_ROUND = 500;

    private final int max;
    private final RegionCounters counters;
    private final UsageMetrics metrics;
    private final Queue<CounterRequest.Charge> charges = new ArrayDeque<>();

    LostCounterCharges(int max, RegionCounters counters, UsageMetrics metrics) {
        this.max = max;
        this.counters = counters;
        this.metrics = metrics;
    }

    /** A Redis begins with nothing, and this is to be charged: all that is known, so that what an earlier one still lacked is part of it. */
    synchronized void charge(Collection<CounterRequest.Charge> all) {
        charges.clear();
        all.forEach(this::add);
    }

    private synchronized void add(CounterRequest.Charge charge) {
        if (charges.size() < max) {
            charges.add(charge);
        } else {
            metrics.dropped(UsageLoss.LOST_COUNTERS, charge.cost());
        }
    }

    private synchronized List<CounterRequest.Charge> next() {
        List<CounterRequest.Charge> next = charges.stream().limit(PER_ROUND).toList();
        next.forEach(each -> charges.remove());
        return next;
    }

    void round() {
        for (CounterRequest.Charge charge : next()) {
            counters.ask(List.of(charge)).whenComplete((told, away) -> {
                if (away != null) {
                    add(charge);
                }
            });
        }
    }
}
