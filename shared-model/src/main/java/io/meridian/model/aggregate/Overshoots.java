package io.meridian.model.aggregate;

import java.util.ArrayList;
import java.util.List;

/** Overshoots that nobody has asked for yet. Bounded: beyond it they are only in the totals. */
final class Overshoots {
    private static final int MAX = 1_000;

    private List<Overshoot> found = new ArrayList<>();

    void add(Overshoot overshoot) {
        if (found.size() < MAX) {
            found.add(overshoot);
        }
    }

    List<Overshoot> drained() {
        List<Overshoot> drained = found;
        found = new ArrayList<>();
        return drained;
    }
}
