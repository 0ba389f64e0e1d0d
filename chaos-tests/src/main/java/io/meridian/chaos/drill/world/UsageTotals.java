package io.meridian.chaos.drill.world;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Usage;
import io.meridian.model.wire.UsageRecord;
import java.util.HashMap;
import java.util.Map;

/** What all regions have reported of every limit: merged, so that order and repetition do not matter. */
final class UsageTotals {
    private final Map<LimitWindow, Usage> usages = new HashMap<>();

    void add(UsageRecord record) {
        usages.merge(record.limit(), Usage.NONE.merge(record.incarnation(), record.count()), Usage::merge);
    }

    Usage of(LimitWindow limit) {
        return usages.getOrDefault(limit, Usage.NONE);
    }
}
