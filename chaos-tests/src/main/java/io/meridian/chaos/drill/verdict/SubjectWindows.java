package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** All windows of one limit that were asked of, and how fast it was asked. */
public final class SubjectWindows {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** By so much a region's clock and the client's may differ. */
    private static final long CLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final NavigableMap<Long, WindowCount> windows = new TreeMap<>();
    private final NavigableMap<Long, Long> askedBySecond = new TreeMap<>();
    private final Map<String, NavigableMap<Long, Long>> askedByRegion = new HashMap<>();
    private final List<Checked> failed;
    private final List<Checked> degraded;

    public SubjectWindows(History history, Timeline timeline, Subject subject) {
        List<Checked> checks = history.of(Checked.class).stream()
                .filter(checked -> checked.policy().equals(subject.policy()))
                .toList();
        for (Checked checked : checks) {
            long second = Math.floorDiv(checked.atNanos(), SECOND_NANOS);
            askedBySecond.merge(second, 1L, Long::sum);
            askedByRegion
                    .computeIfAbsent(checked.region(), region -> new TreeMap<>())
                    .merge(second, 1L, Long::sum);
            if (checked.outcome() != Outcome.FAILED) {
                windows.computeIfAbsent(checked.windowEndMicros(), end -> empty(timeline, subject, end))
                        .add(checked);
            }
        }
        degraded = checks.stream().filter(Checked::degraded).toList();
        failed = checks.stream()
                .filter(checked -> checked.outcome() == Outcome.FAILED)
                .toList();
    }

    private static WindowCount empty(Timeline timeline, Subject subject, long endMicros) {
        long endNanos = timeline.nanosAt(endMicros);
        return new WindowCount(endMicros, endNanos - subject.window().toNanos(), endNanos);
    }

    /** In the order of time. */
    public List<WindowCount> all() {
        return List.copyOf(windows.values());
    }

    /** The most that was asked for in a second around that time. */
    double perSecondDuring(long fromNanos, long toNanos) {
        return perSecondDuring(askedBySecond, fromNanos, toNanos);
    }

    /** The same of one region. */
    double perSecondDuring(long fromNanos, long toNanos, String region) {
        return perSecondDuring(askedByRegion.getOrDefault(region, Collections.emptyNavigableMap()), fromNanos, toNanos);
    }

    private static double perSecondDuring(NavigableMap<Long, Long> asked, long fromNanos, long toNanos) {
        return asked
                .subMap(Math.floorDiv(fromNanos, SECOND_NANOS), true, Math.floorDiv(toNanos, SECOND_NANOS), true)
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Checks of a region that were under way at that time and decided without Redis: nobody knows on which side of it. */
    long degradedAcross(long nanos, String region) {
        return degraded.stream()
                .filter(checked -> checked.region().equals(region))
                .filter(checked ->
                        checked.atNanos() - CLOCK_NANOS <= nanos && nanos <= checked.answeredNanos() + CLOCK_NANOS)
                .count();
    }

    /** Checks of a region of which nobody knows which window they were charged to, if any; sent at that time. */
    long failedDuring(long fromNanos, long toNanos, String region) {
        return failed.stream()
                .filter(checked -> checked.region().equals(region))
                .filter(checked -> checked.atNanos() >= fromNanos && checked.atNanos() <= toNanos)
                .count();
    }
}
