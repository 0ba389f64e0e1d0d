package io.meridian.chaos.drill.verdict;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How slow a loop can be for what was done to the world; whoever tells of a slower one shares nothing, and is not believed.
 *
 * <p>2 s in a calm world. Besides, of the faults that a region still remembers, four ways of the longest injected delay, and as long as
 * the longest other lasted: what waited for it goes on when it ends. A fault that comes and goes counts as long as it was there in all, because a
 * loop may not recover in between.
 */
final class LoopMax {
    /** A calm loop takes a few hundred milliseconds, and on a busy machine up to 1.4 s. */
    private static final double CALM_MILLIS = 2_000;
    /** A report and its answer, a fetch and its answer. */
    private static final int WAYS = 4;

    private LoopMax() {}

    /** In a window from the one to the other time. */
    static double millis(List<FaultSpan> faults, long fromNanos, long toNanos) {
        double furtherMillis = 0;
        Map<String, Double> lasted = new HashMap<>();
        for (FaultSpan fault : faults) {
            if (!fault.delaysLoop() || !fault.overlaps(fromNanos - LoopDelay.REMEMBERED_NANOS, toNanos)) {
                continue;
            }
            OptionalLong further = fault.furtherMillis();
            if (further.isPresent()) {
                furtherMillis = Math.max(furtherMillis, (double) (WAYS * further.getAsLong()));
            } else {
                double millis = (Math.min(fault.toNanos(), toNanos) - fault.fromNanos()) / 1e6;
                lasted.merge(fault.fault(), millis, Double::sum);
            }
        }
        double longestMillis =
                lasted.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return CALM_MILLIS + furtherMillis + longestMillis;
    }
}
