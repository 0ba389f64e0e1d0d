package io.meridian.drill.history;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Windows of one limit in which checks were decided, and the rate of its checks. */
public final class SubjectWindows {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Largest difference between the clocks of a region and of the client. */
    private static final long CLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final NavigableMap<Long, ObservedWindow> windows = new TreeMap<>();
    private final NavigableMap<Long, Long> requestedBySecond = new TreeMap<>();
    private final Map<String, NavigableMap<Long, Long>> requestedByRegion = new HashMap<>();
    private final List<Checked> failed;
    private final List<Checked> degraded;

    public SubjectWindows(DrillHistory history, Timeline timeline, Subject subject) {
        List<Checked> checks = history.of(Checked.class).stream()
                .filter(checked -> checked.policy().equals(subject.policy()))
                .toList();
        for (Checked checked : checks) {
            long second = Math.floorDiv(checked.atNanos(), SECOND_NANOS);
            requestedBySecond.merge(second, 1L, Long::sum);
            requestedByRegion
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

    private static ObservedWindow empty(Timeline timeline, Subject subject, long endMicros) {
        long endNanos = timeline.nanosAt(endMicros);
        return new ObservedWindow(endMicros, endNanos - subject.window().toNanos(), endNanos);
    }

    /** In order of time. */
    public List<ObservedWindow> all() {
        return List.copyOf(windows.values());
    }

    /** Largest number of checks in a second that overlaps that time. */
    public double perSecondDuring(long fromNanos, long toNanos) {
        return perSecondDuring(requestedBySecond, fromNanos, toNanos);
    }

    /** The same for one region. */
    public double perSecondDuring(long fromNanos, long toNanos, String region) {
        return perSecondDuring(
                requestedByRegion.getOrDefault(region, Collections.emptyNavigableMap()), fromNanos, toNanos);
    }

    private static double perSecondDuring(NavigableMap<Long, Long> requested, long fromNanos, long toNanos) {
        return requested
                .subMap(Math.floorDiv(fromNanos, SECOND_NANOS), true, Math.floorDiv(toNanos, SECOND_NANOS), true)
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Checks of a region in flight at that time that were decided without Redis, so that they may be charged on either side of it. */
    public long degradedAcross(long nanos, String region) {
        return degraded.stream()
                .filter(checked -> checked.region().equals(region))
                .filter(checked ->
                        checked.atNanos() - CLOCK_NANOS <= nanos && nanos <= checked.answeredNanos() + CLOCK_NANOS)
                .count();
    }

    /** Failed checks of a region that were sent in that time; which window they were charged to, if any, is unknown. */
    public long failedDuring(long fromNanos, long toNanos, String region) {
        return failed.stream()
                .filter(checked -> checked.region().equals(region))
                .filter(checked -> checked.atNanos() >= fromNanos && checked.atNanos() <= toNanos)
                .count();
    }

    /** Checks that were decided in one window of one limit, as the client observed them. */
    public static final class ObservedWindow {
        private final long endMicros;
        private final long startNanos;
        private final long endNanos;
        private final List<Checked> decided = new ArrayList<>();

        ObservedWindow(long endMicros, long startNanos, long endNanos) {
            this.endMicros = endMicros;
            this.startNanos = startNanos;
            this.endNanos = endNanos;
        }

        void add(Checked checked) {
            decided.add(checked);
        }

        /** End of the window in wall time, which identifies it. */
        public long endMicros() {
            return endMicros;
        }

        /** In event time; negative if the window began before the drill. */
        public long startNanos() {
            return startNanos;
        }

        public long endNanos() {
            return endNanos;
        }

        public long requested() {
            return decided.size();
        }

        public long requested(String region) {
            return count(checked -> checked.region().equals(region));
        }

        public long admitted() {
            return count(ObservedWindow::isAllowed);
        }

        public long admitted(String region) {
            return count(checked -> isAllowed(checked) && checked.region().equals(region));
        }

        /** Decisions of a region without its Redis. */
        public long degraded(String region) {
            return count(checked -> checked.degraded() && checked.region().equals(region));
        }

        public long degraded() {
            return count(Checked::degraded);
        }

        public long degradedAdmitted(String region) {
            return count(checked ->
                    isAllowed(checked) && checked.degraded() && checked.region().equals(region));
        }

        /** The allowed checks, in the order of their answers. */
        public List<Checked> allowed() {
            return decided.stream()
                    .filter(ObservedWindow::isAllowed)
                    .sorted(Comparator.comparingLong(Checked::answeredNanos))
                    .toList();
        }

        /** Time of the answer with which that many units were admitted by regions with their Redis. */
        public OptionalLong usedUpNanos(long units) {
            return allowed().stream()
                    .filter(checked -> !checked.degraded())
                    .skip(units - 1)
                    .mapToLong(Checked::answeredNanos)
                    .findFirst();
        }

        public long count(Predicate<Checked> which) {
            return decided.stream().filter(which).count();
        }

        public static boolean isAllowed(Checked checked) {
            return checked.outcome() == Outcome.ALLOWED;
        }
    }
}
