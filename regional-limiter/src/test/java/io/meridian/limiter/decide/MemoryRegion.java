package io.meridian.limiter.decide;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.RegionalCounter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A region's counters in memory, at a time the test sets: the same pure turn that the script is held against. */
public final class MemoryRegion implements RegionCounters {
    final Map<LimitId, CounterState> states = new HashMap<>();
    final ManualTime time;
    public int asks;
    /** So many groups more go unanswered. */
    public int misses;

    public MemoryRegion(ManualTime time) {
        this.time = time;
    }

    @Override
    public CompletionStage<Reply> ask(List<CounterRequest> group) {
        if (misses-- > 0) {
            return CompletableFuture.failedFuture(new RegionUnavailable("the test says so"));
        }
        asks += group.size();
        List<CounterState> before = new ArrayList<>();
        group.forEach(ask -> before.add(states.getOrDefault(LimitId.of(ask.limit()), CounterState.UNTOUCHED)));
        RegionalCounter turn = RegionalCounter.of(group, before, time.wallMicros());
        for (int i = 0; i < group.size(); i++) {
            states.put(LimitId.of(group.get(i).limit()), turn.states().get(i));
        }
        return CompletableFuture.completedFuture(new Reply(turn.replies(), time.wallMicros()));
    }
}
