package io.meridian.drill.console;

import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Subject;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Progress of a drill by its events so far. Its size depends on regions, limits and partitions, not on the drill's length. */
final class DrillProgress {
    private final List<String> regions;
    private final List<Subject> subjects;
    private final Map<String, RegionCount> counts = new LinkedHashMap<>();
    private final Map<String, OpenWindow> windows = new LinkedHashMap<>();
    private final Map<String, String> faults = new LinkedHashMap<>();
    private final Map<Integer, String> leaders = new TreeMap<>();
    private Phase phase = Phase.WARM_UP;
    private long phaseNanos;
    private int parts = 1;
    private String lastReason = "";

    DrillProgress(List<String> regions, List<Subject> subjects) {
        this.regions = List.copyOf(regions);
        this.subjects = List.copyOf(subjects);
        regions.forEach(region -> counts.put(region, RegionCount.NONE));
        subjects.forEach(subject -> windows.put(subject.policy(), new OpenWindow()));
    }

    void accept(Event event) {
        if (event instanceof Event.Checked checked) {
            checked(checked);
        } else if (event instanceof Event.PhaseBegan began) {
            phase = began.phase();
            phaseNanos = began.atNanos();
        } else if (event instanceof Event.FaultBegan began) {
            faults.put(began.fault(), began.description());
        } else if (event instanceof Event.FaultEnded ended) {
            faults.remove(ended.fault());
        } else if (event instanceof Event.NetworkSplit split) {
            parts = split.parts();
        } else if (event instanceof Event.LeaderObserved seen) {
            leaders.put(seen.partition(), seen.leader());
        }
    }

    private void checked(Event.Checked checked) {
        boolean allowed = checked.outcome() == Event.Outcome.ALLOWED;
        boolean failed = checked.outcome() == Event.Outcome.FAILED;
        RegionCount one =
                new RegionCount(allowed ? 1 : 0, allowed || failed ? 0 : 1, failed ? 1 : 0, checked.degraded() ? 1 : 0);
        counts.computeIfPresent(checked.region(), (region, count) -> count.plus(one));
        OpenWindow window = windows.get(checked.policy());
        if (window != null && !failed) {
            window.admit(checked.windowEndMicros(), checked.region(), allowed);
        }
        lastReason = failed ? checked.reason() : lastReason;
    }

    List<String> regions() {
        return regions;
    }

    List<Subject> subjects() {
        return subjects;
    }

    Map<String, RegionCount> counts() {
        return new LinkedHashMap<>(counts);
    }

    RegionCount all() {
        return counts.values().stream().reduce(RegionCount.NONE, RegionCount::plus);
    }

    OpenWindow window(Subject subject) {
        return windows.getOrDefault(subject.policy(), new OpenWindow());
    }

    List<String> faults() {
        return List.copyOf(faults.values());
    }

    /** Number of partitions by leader; those without one are under the empty name. */
    Map<String, Long> leads() {
        return leaders.values().stream()
                .collect(Collectors.groupingBy(leader -> leader, TreeMap::new, Collectors.counting()));
    }

    Phase phase() {
        return phase;
    }

    long phaseNanos() {
        return phaseNanos;
    }

    int parts() {
        return parts;
    }

    String lastReason() {
        return lastReason;
    }

    /** Admitted units by region in the newest window of a limit. */
    static final class OpenWindow {
        private long endMicros;
        private final Map<String, Long> byRegion = new LinkedHashMap<>();

        /** Answers for older windows are ignored. */
        void admit(long windowEndMicros, String region, boolean allowed) {
            if (windowEndMicros > endMicros) {
                endMicros = windowEndMicros;
                byRegion.clear();
            }
            if (windowEndMicros == endMicros && allowed) {
                byRegion.merge(region, 1L, Long::sum);
            }
        }

        long total() {
            return byRegion.values().stream().mapToLong(Long::longValue).sum();
        }

        /** The region with the largest usage; empty without usage. */
        String fullest() {
            return byRegion.entrySet().stream()
                    .max(Comparator.comparingLong(Map.Entry::getValue))
                    .map(Map.Entry::getKey)
                    .orElse("");
        }

        long of(String region) {
            return byRegion.getOrDefault(region, 0L);
        }
    }

    /** Answers of a region, in total or per second. */
    record RegionCount(double allowed, double denied, double failed, double degraded) {
        static final RegionCount NONE = new RegionCount(0, 0, 0, 0);

        RegionCount plus(RegionCount other) {
            return new RegionCount(
                    allowed + other.allowed, denied + other.denied, failed + other.failed, degraded + other.degraded);
        }

        /** Rate per second since an earlier total. */
        RegionCount since(RegionCount before, double seconds) {
            return new RegionCount(
                    (allowed - before.allowed) / seconds,
                    (denied - before.denied) / seconds,
                    (failed - before.failed) / seconds,
                    (degraded - before.degraded) / seconds);
        }
    }

    /** Rates over the last two seconds, from running totals. */
    static final class Rates {
        private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(2);

        private record Point(long nanos, Map<String, RegionCount> counts) {}

        private final Deque<Point> points = new ArrayDeque<>();

        /** Rates by region; empty on the first call. */
        Map<String, RegionCount> at(long nanos, Map<String, RegionCount> counts) {
            while (points.size() > 1 && nanos - points.getFirst().nanos() > SPAN_NANOS) {
                points.removeFirst();
            }
            Point first = points.peekFirst();
            points.addLast(new Point(nanos, counts));
            Map<String, RegionCount> rates = new LinkedHashMap<>();
            if (first != null && nanos > first.nanos()) {
                double seconds = (nanos - first.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
                counts.forEach((region, count) ->
                        rates.put(region, count.since(first.counts().getOrDefault(region, RegionCount.NONE), seconds)));
            }
            return rates;
        }
    }
}
