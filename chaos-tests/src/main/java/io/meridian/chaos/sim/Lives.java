package io.meridian.chaos.sim;

import io.meridian.limiter.decide.LimitId;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All lives that a region's data had. What is lost with a life stays counted here, as nobody else will hear of it any more. */
final class Lives {
    private final Set<Long> begun = new TreeSet<>();
    /** What lives had counted when they ended. */
    private final Map<RegionData.ShelfId, GlobalLimitState> ended = new HashMap<>();

    void begins(long number) {
        begun.add(number);
    }

    void ends(RegionData data) {
        data.shelves.forEach((id, shelf) -> ended.merge(id, shelf, Lives::fuller));
    }

    /** Of each window the book that had counted more. */
    private static GlobalLimitState fuller(GlobalLimitState one, GlobalLimitState other) {
        GlobalLimitState merged = one;
        for (Map.Entry<Long, WindowAccount> each : other.accounts().entrySet()) {
            if (each.getValue().own() > merged.account(each.getKey()).own()) {
                merged = merged.with(each.getKey(), each.getValue());
            }
        }
        return merged;
    }

    /** What all of them took of a window. */
    long own(LimitWindow window, RegionData now) {
        return begun.stream().mapToLong(life -> own(life, window, now)).sum();
    }

    /** How many of them took something of a window. */
    long using(LimitWindow window, RegionData now) {
        return begun.stream().filter(life -> own(life, window, now) > 0).count();
    }

    private long own(long life, LimitWindow window, RegionData now) {
        RegionData.ShelfId shelf = new RegionData.ShelfId(life, new LimitId(window.policyId(), window.key()));
        return Math.max(own(ended.get(shelf), window), own(now.shelves.get(shelf), window));
    }

    private static long own(@Nullable GlobalLimitState shelf, LimitWindow window) {
        return shelf == null ? 0 : shelf.account(window.startMicros()).own();
    }
}
