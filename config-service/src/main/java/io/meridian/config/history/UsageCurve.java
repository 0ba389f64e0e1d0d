package io.meridian.config.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What was consumed of a policy: the points at which anything was, oldest first. */
public record UsageCurve(TimeRange range, PointStep step, List<Point> points, Map<String, Long> regions) {
    /** One step of time, by region. */
    public record Point(Instant at, Map<String, Long> regions) {
        public long consumed() {
            return sum(regions);
        }
    }

    public long consumed() {
        return sum(regions);
    }

    private static long sum(Map<String, Long> regions) {
        return regions.values().stream().mapToLong(Long::longValue).sum();
    }
}
