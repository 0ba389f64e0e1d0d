package io.meridian.chaos.sim;

import io.meridian.limiter.decide.LimitId;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** All that a region's Redis stores. What it stores is immutable but for marks, so a copy is cheap: a replica's, some time behind. */
final class RegionData {
    /** A shelf belongs to a life. */
    record ShelfId(long life, LimitId limit) {}

    final Map<ShelfId, GlobalLimitState> shelves = new LinkedHashMap<>();
    final Map<LimitId, CounterState> counters = new HashMap<>();
    final Map<Mark.Id, Mark> marks = new LinkedHashMap<>();
    long life;
    boolean wiped = true;
    String runId = "";

    RegionData copied() {
        RegionData copy = new RegionData();
        copy.shelves.putAll(shelves);
        copy.counters.putAll(counters);
        marks.forEach((id, mark) -> copy.marks.put(id, mark.copied()));
        copy.life = life;
        copy.wiped = wiped;
        copy.runId = runId;
        return copy;
    }

    GlobalLimitState shelf(long ofLife, LimitId limit) {
        GlobalLimitState known = shelves.get(new ShelfId(ofLife, limit));
        return known == null ? GlobalLimitState.startedAt(ofLife) : known;
    }

    WindowAccount book(long ofLife, LimitWindow limit) {
        return shelf(ofLife, new LimitId(limit.policyId(), limit.key())).account(limit.startMicros());
    }

    Mark mark(long ofLife, LimitWindow limit) {
        return marks.computeIfAbsent(new Mark.Id(ofLife, limit), absent -> new Mark());
    }
}
