package io.meridian.config.history.promises;

import io.meridian.model.policy.Coordination.OnExhausted;
import java.util.Set;

/**
 * Bound that a global limit promises for one window, as a share of its limit and a time at its rate:
 *
 * <ul>
 *   <li>escrow: the limit, and for each region that was cut off what {@code on_exhausted} lets it admit beyond its grants: nothing, the
 *       percentage of an overdraft, or the whole limit
 *   <li>converge: c × limit + rate × loop delay, where c is the number of parts that regions were disconnected into
 * </ul>
 *
 * @param limitPercent of the limit
 * @param parts c
 * @param loopMicros the loop delay; 0 in escrow
 * @param loopKnown whether a loop delay was measured, or none is needed
 */
record PromiseBound(long limitPercent, int parts, long loopMicros, boolean loopKnown) {
    private static final long WHOLE = 100;

    /**
     * Conditions under which a window was open.
     *
     * @param loopMicros the longest loop that any region measured, 0 if none did
     * @param regions how many regions reported
     * @param cut regions that were cut off at some time
     */
    record Conditions(long loopMicros, int regions, Set<String> cut) {
        Conditions {
            cut = Set.copyOf(cut);
        }

        /** Regions that are cut off are each on their own; at least one part is connected unless all are. */
        int parts() {
            return Math.max(1, Math.min(regions, 1 + cut.size()));
        }
    }

    static PromiseBound escrow(OnExhausted onExhausted, Conditions conditions) {
        long extra = WHOLE;
        if (onExhausted instanceof OnExhausted.Deny) {
            extra = 0;
        } else if (onExhausted instanceof OnExhausted.Overdraft overdraft) {
            extra = overdraft.percent();
        }
        return new PromiseBound(WHOLE + extra * conditions.cut().size(), conditions.parts(), 0, true);
    }

    static PromiseBound converge(Conditions conditions) {
        int parts = conditions.parts();
        return new PromiseBound(WHOLE * parts, parts, conditions.loopMicros(), conditions.loopMicros() > 0);
    }
}
