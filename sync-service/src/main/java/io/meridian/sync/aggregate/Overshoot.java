package io.meridian.sync.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.WindowRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Overshoot of an ended window: units admitted above its limit, and the part that the next window pays.
 *
 * @param total what all regions used
 * @param excess what of it is above the limit
 * @param grown by how much the excess is more than was reported before
 * @param carried what of the excess the next window pays
 */
public record Overshoot(LimitWindow limit, WindowRule rule, long total, long excess, long grown, long carried) {
    /** Bounded queue of overshoots to report; beyond the bound they are only in the totals. */
    static final class OvershootQueue {
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
}
