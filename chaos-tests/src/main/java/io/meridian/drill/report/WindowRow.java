package io.meridian.drill.report;

import io.meridian.drill.checks.WindowBound;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Timeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Row of the results for one window, in all regions or, of a regional limit, in one.
 *
 * @param fromSeconds event time, as is toSeconds
 * @param region empty for all
 * @param byRegion admitted units by region
 * @param judged whether the verdict includes it; a window of the warm-up may exceed its bound
 */
record WindowRow(
        String policy,
        String ends,
        long windowEndMicros,
        double fromSeconds,
        double toSeconds,
        String region,
        long requested,
        long admitted,
        Map<String, Long> byRegion,
        long degraded,
        long limit,
        long bound,
        int parts,
        double loopMillis,
        boolean kept,
        boolean judged) {
    private static final double NANOS = 1e9;

    static List<WindowRow> all(DrillHistory history, Timeline timeline) {
        return history.subjects().stream()
                .flatMap(subject -> WindowBound.all(history, timeline, subject).stream()
                        .map(bound -> of(subject, bound, timeline, history.regions())))
                .toList();
    }

    private static WindowRow of(Subject subject, WindowBound bound, Timeline timeline, List<String> regions) {
        boolean whole = bound.region().isEmpty();
        Map<String, Long> byRegion = new LinkedHashMap<>();
        regions.stream()
                .filter(region -> whole || region.equals(bound.region()))
                .forEach(region -> byRegion.put(region, bound.window().admitted(region)));
        return new WindowRow(
                subject.policy(),
                Timeline.clock(bound.window().endMicros()),
                bound.window().endMicros(),
                bound.window().startNanos() / NANOS,
                bound.window().endNanos() / NANOS,
                bound.region(),
                whole ? bound.window().requested() : bound.window().requested(bound.region()),
                bound.admitted(),
                byRegion,
                bound.degraded(),
                bound.limit(),
                bound.units(),
                bound.parts(),
                bound.loopMillis(),
                bound.admitted() <= bound.units(),
                bound.isJudged(subject, timeline));
    }
}
