package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.LoopSeen;
import io.meridian.chaos.drill.history.History;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * When all regions heard of the centre again after a heal, and went on to. A region hears it if it was silent for less than a second; where that
 * is not told, if its slowest loop is as fast. Not the other way round: the slowest of a minute remembers a cut that is over.
 *
 * @param unseen regions of which there is no sample
 * @param silent regions whose last sample is too slow
 */
record HeardAgain(OptionalLong atNanos, List<String> unseen, List<String> silent) {
    private static final double HEARD_MAX_MILLIS = 1_000;

    static HeardAgain after(long healNanos, History history) {
        Map<String, Boolean> hears = new HashMap<>();
        OptionalLong at = OptionalLong.empty();
        List<LoopSeen> samples = history.of(LoopSeen.class).stream()
                .filter(seen -> seen.atNanos() >= healNanos && !Double.isNaN(millis(seen)))
                .sorted(Comparator.comparingLong(LoopSeen::atNanos))
                .toList();
        for (LoopSeen seen : samples) {
            hears.put(seen.region(), millis(seen) < HEARD_MAX_MILLIS);
            boolean all = history.regions().stream().allMatch(region -> hears.getOrDefault(region, false));
            if (!all) {
                at = OptionalLong.empty();
            } else if (at.isEmpty()) {
                at = OptionalLong.of(seen.atNanos());
            }
        }
        return new HeardAgain(
                at,
                history.regions().stream()
                        .filter(region -> !hears.containsKey(region))
                        .toList(),
                history.regions().stream()
                        .filter(region -> !hears.getOrDefault(region, false))
                        .toList());
    }

    private static double millis(LoopSeen seen) {
        return Double.isNaN(seen.silentMillis()) ? seen.maxMillis() : seen.silentMillis();
    }
}
