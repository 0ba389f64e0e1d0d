package io.meridian.simulation.invariants;

import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.StateId;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All incarnations of a region's data. Usage that was lost with one stays counted here, because no report will contain it. */
final class IncarnationHistory {
    private final Set<Long> begun = new TreeSet<>();
    /** State of incarnations at their end. */
    private final Map<StateId, GlobalLimitState> ended = new HashMap<>();

    public void begins(long number) {
        begun.add(number);
    }

    public void ends(RegionModel model) {
        model.states().forEach((id, shelf) -> ended.merge(id, shelf, IncarnationHistory::fuller));
    }

    /** Of each window the account with more usage. */
    private static GlobalLimitState fuller(GlobalLimitState one, GlobalLimitState other) {
        GlobalLimitState merged = one;
        for (Map.Entry<Long, WindowAccount> each : other.accounts().entrySet()) {
            if (each.getValue().own() > merged.account(each.getKey()).own()) {
                merged = merged.with(each.getKey(), each.getValue());
            }
        }
        return merged;
    }

    /** Usage of a window by all incarnations. */
    public long own(LimitWindow window, RegionModel now) {
        return begun.stream().mapToLong(life -> own(life, window, now)).sum();
    }

    /** Number of incarnations with usage of a window. */
    long using(LimitWindow window, RegionModel now) {
        return begun.stream().filter(life -> own(life, window, now) > 0).count();
    }

    private long own(long life, LimitWindow window, RegionModel now) {
        StateId id = new StateId(life, window.policyId(), window.key());
        return Math.max(own(ended.get(id), window), own(now.states().get(id), window));
    }

    private static long own(@Nullable GlobalLimitState shelf, LimitWindow window) {
        return shelf == null ? 0 : shelf.account(window.startMicros()).own();
    }
}
