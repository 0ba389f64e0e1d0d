package io.meridian.drill.runner;

import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Health of the regions by their latest answers: the number of undegraded decisions in a row of each. */
final class RegionHealth implements Consumer<Event> {
    private final List<String> regions;
    private final Map<String, Integer> streaks = new HashMap<>();
    private long sinceNanos;
    private long failed;

    RegionHealth(List<String> regions) {
        this.regions = List.copyOf(regions);
    }

    @Override
    public synchronized void accept(Event event) {
        if (event instanceof Checked checked && checked.atNanos() >= sinceNanos) {
            boolean sound = checked.outcome() != Outcome.FAILED && !checked.degraded();
            streaks.merge(checked.region(), sound ? 1 : 0, (before, one) -> one == 0 ? 0 : before + one);
            failed += checked.outcome() == Outcome.FAILED ? 1 : 0;
        }
    }

    /** Counts only checks that are sent from now on. */
    synchronized void restart(long nowNanos) {
        sinceNanos = nowNanos;
        streaks.clear();
    }

    synchronized void resetFailed() {
        failed = 0;
    }

    /** Number of failed checks since the last reset. */
    synchronized long failed() {
        return failed;
    }

    /** Whether that many latest answers of every region were undegraded decisions. */
    synchronized boolean isSteady(int latest) {
        return regions.stream().allMatch(region -> streaks.getOrDefault(region, 0) >= latest);
    }

    /** The regions for which that is not so. */
    synchronized List<String> unsteady(int latest) {
        return regions.stream()
                .filter(region -> streaks.getOrDefault(region, 0) < latest)
                .toList();
    }
}
