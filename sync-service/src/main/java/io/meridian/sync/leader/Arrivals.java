package io.meridian.sync.leader;

import java.util.ArrayList;
import java.util.List;

/** When usage arrived that no committed tick has taken in yet. Of a flood only the first {@link #MAX} are measured. */
final class Arrivals {
    static final int MAX = 1_000;

    private final List<Arrival> waiting = new ArrayList<>();
    private boolean fresh;

    /** When the broker took a region's report. */
    record Arrival(String region, long appendedMicros) {}

    void add(String region, long appendedMicros) {
        fresh = true;
        if (waiting.size() < MAX) {
            waiting.add(new Arrival(region, appendedMicros));
        }
    }

    /** Whether anything came since the last look. */
    boolean isFresh() {
        return fresh;
    }

    void looked() {
        fresh = false;
    }

    List<Arrival> take() {
        List<Arrival> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    void clear() {
        waiting.clear();
        fresh = false;
    }
}
