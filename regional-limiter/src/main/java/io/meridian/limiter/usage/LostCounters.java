package io.meridian.limiter.usage;

import io.meridian.limiter.decide.RegionCounters;
import io.meridian.model.lease.Ask;
import java.util.List;
import java.util.Queue;

/**
 * Charges a Redis that lost its counters with what this instance took of the region's own limits, some at a time, so that no check
 * waits for it. What is not answered is charged again: rather twice than not at all, and never above the limit.
 */
record LostCounters(Queue<Ask.Settle> charges, RegionCounters counters) {
    private static final int PER_ROUND = 500;

    void round() {
        for (int i = 0; i < PER_ROUND; i++) {
            Ask.Settle charge = charges.poll();
            if (charge == null) {
                return;
            }
            counters.ask(List.of(charge)).whenComplete((told, away) -> {
                if (away != null) {
                    charges.add(charge);
                }
            });
        }
    }
}
