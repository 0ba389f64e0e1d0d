package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How the regions answer right now: how many of the latest answers of each were all by the book. */
final class Pulse implements Consumer<Event> {
    private final List<String> regions;
    private final Map<String, Integer> streaks = new HashMap<>();
    private long sinceNanos;
    private long failed;

    Pulse(List<String> regions) {
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

    /** From now on only what is sent from now on counts. */
    synchronized void beginAnew(long nowNanos) {
        sinceNanos = nowNanos;
        streaks.clear();
    }

    synchronized void forgetFailed() {
        failed = 0;
    }

    /** How many checks failed since that was forgotten. */
    synchronized long failed() {
        return failed;
    }

    /** Whether the latest so many answers of every region were by the book. */
    synchronized boolean isSteady(int latest) {
        return regions.stream().allMatch(region -> streaks.getOrDefault(region, 0) >= latest);
    }

    /** The regions of which that is not so. */
    synchronized List<String> unsteady(int latest) {
        return regions.stream()
                .filter(region -> streaks.getOrDefault(region, 0) < latest)
                .toList();
    }
}
