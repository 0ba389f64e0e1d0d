package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.UsageReported;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.drill.history.SubjectWindows;
import io.meridian.drill.history.SubjectWindows.ObservedWindow;
import io.meridian.drill.history.Timeline;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checker of reported usage: in the end the usage topic has, for every window and region, the usage that was admitted there, up to the
 * differences that {@link ReportedWindow} allows. It is of safety.
 */
record UsageReportChecker() implements Checker {
    private record Place(String policy, long windowEndMicros, String region) {}

    @Override
    public String name() {
        return "nothing lost";
    }

    @Override
    public Finding check(DrillHistory history) {
        Map<Place, Long> reported = reported(history);
        if (reported.isEmpty()) {
            return Finding.unknown("The usage topic was not read, or had no usage.");
        }
        Timeline timeline = new Timeline(history);
        Lateness lateness = new Lateness(history);
        List<ReportedWindow> windows = history.subjects().stream()
                .flatMap(subject -> compared(history, timeline, lateness, subject, reported))
                .toList();
        if (windows.isEmpty()) {
            return Finding.unknown("No check was decided, so there was no usage to report.");
        }
        return finding(windows);
    }

    /** Last reported usage. */
    private static Map<Place, Long> reported(DrillHistory history) {
        Map<Place, Long> last = new HashMap<>();
        history.of(UsageReported.class)
                .forEach(usage ->
                        last.put(new Place(usage.policy(), usage.windowEndMicros(), usage.region()), usage.used()));
        return last;
    }

    private static Stream<ReportedWindow> compared(
            DrillHistory history, Timeline timeline, Lateness lateness, Subject subject, Map<Place, Long> reported) {
        SubjectWindows windows = new SubjectWindows(history, timeline, subject);
        return windows.all().stream()
                .flatMap(window -> history.regions().stream().map(region -> {
                    Place place = new Place(subject.policy(), window.endMicros(), region);
                    return ReportedWindow.of(
                            subject, window, region, windows, timeline, lateness, reported.getOrDefault(place, 0L));
                }));
    }

    private static Finding finding(List<ReportedWindow> windows) {
        long exact = windows.stream().filter(ReportedWindow::exact).count();
        List<ReportedWindow> wrong =
                windows.stream().filter(window -> !window.kept()).toList();
        long tolerated = windows.size() - exact - wrong.size();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("windows", windows.size());
        figures.put("exact", exact);
        figures.put("tolerated", tolerated);
        figures.put("wrong", wrong.size());
        figures.put(
                "admitted", windows.stream().mapToLong(ReportedWindow::admitted).sum());
        figures.put(
                "reported", windows.stream().mapToLong(ReportedWindow::reported).sum());
        String counts = "%d of %d windows of regions reported exactly".formatted(exact, windows.size())
                + (tolerated > 0 ? ", %d with explained differences".formatted(tolerated) : "");
        String worst = wrong.stream()
                .max(Comparator.comparingLong(window -> Math.abs(window.off())))
                .map(window -> "; %d wrong, worst: %s".formatted(wrong.size(), window.description()))
                .orElse("");
        return Finding.of(wrong.isEmpty(), counts + worst + ".", figures);
    }

    /**
     * Reported and admitted usage of one window in one region, and the differences that are allowed between them.
     *
     * <p>A region reports only its own usage, so no other region's surplus makes up for a loss, and a fault on a part excuses only its own
     * region.
     *
     * <p>The reported usage may be below by what was admitted without Redis, which is charged later as far as it fits, and by what the region
     * admits in one reporting interval if its Redis lost its data, or, of regional limits, if a limiter was killed. It may be above by degraded
     * answers, which may have been charged before the timeout of Redis, whatever was answered, on either side of a window's edge if they were in
     * flight across it, each with its lease, which counts as spent if the answer was lost; by failed checks, for the same reason; and by the
     * leases of a killed limiter, which count as spent, up to the limit in all.
     *
     * <p>A kill or a wipe loses the usage of the reporting interval before it, however long the part stays down. So it concerns the windows that
     * overlap [begin − interval, begin], and none after. On a machine without a free core reports go out late, so the interval is longer by the
     * maximum lateness of the load around the window, if that is above what an idle machine shows.
     */
    private record ReportedWindow(
            Subject subject, ObservedWindow window, String region, long reported, long belowMax, long aboveMax) {
        /** Reporting interval of shared limits: 100 ms, and a multiple of that on a busy machine. */
        private static final double REPORT_SECONDS = 0.5;
        /** Reporting interval of regional limits: 5 s, and a margin. */
        private static final double REGIONAL_REPORT_SECONDS = 6;

        /** Largest lease, as a divisor of the limit. */
        private static final long LEASE_PART = 16;

        /** A fault is recorded before it is injected; largest delay between the two. */
        private static final long INJECTED_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** Client timeout and a margin: a failed check may be charged for this long. */
        private static final long SEND_NANOS = TimeUnit.SECONDS.toNanos(6);

        static ReportedWindow of(
                Subject subject,
                ObservedWindow window,
                String region,
                SubjectWindows windows,
                Timeline timeline,
                Lateness lateness,
                long reported) {
            long from = window.startNanos();
            long to = window.endNanos();
            // Usage that was not reported at the end of the window can still be lost in the next one.
            double reportSeconds = reportSeconds(subject);
            if (timeline.faults().stream().anyMatch(fault -> fault.losesRedis(region) || fault.killsLimiter(region))) {
                double lateMillis = lateness.during(from - INJECTED_NANOS, to + seconds(reportSeconds))
                        .maxMillis();
                reportSeconds +=
                        lateMillis > Lateness.STARVED_P99_MILLIS ? lateMillis / TimeUnit.SECONDS.toMillis(1) : 0;
            }
            long interval = seconds(reportSeconds);
            boolean redisLost = timeline.faults().stream()
                    .anyMatch(fault ->
                            fault.losesRedis(region) && fault.beginsDuring(from - INJECTED_NANOS, to + interval));
            boolean limiterLost = timeline.faults().stream()
                    .anyMatch(fault ->
                            fault.killsLimiter(region) && fault.beginsDuring(from - INJECTED_NANOS, to + interval));
            double perSecond = windows.perSecondDuring(from, to, region);
            // A limiter reports the usage of regional limits from its memory, every few seconds.
            boolean memoryLost = limiterLost && subject.sharing() == Sharing.REGIONAL;
            long unreported = redisLost || memoryLost ? (long) Math.ceil(reportSeconds * perSecond) : 0;
            long spent = subject.sharing() == Sharing.REGIONAL ? window.admitted(region) : window.admitted();
            long leased = limiterLost ? Math.max(0, subject.limit() - spent) : 0;
            long charged = windows.failedDuring(from - SEND_NANOS, to, region);
            long unanswered =
                    window.degraded(region) + windows.degradedAcross(from, region) + windows.degradedAcross(to, region);
            long ahead = unanswered * subject.limit() / LEASE_PART;
            return new ReportedWindow(
                    subject,
                    window,
                    region,
                    reported,
                    window.degradedAdmitted(region) + unreported,
                    unanswered + ahead + charged + leased);
        }

        private static double reportSeconds(Subject subject) {
            return subject.sharing() == Sharing.REGIONAL ? REGIONAL_REPORT_SECONDS : REPORT_SECONDS;
        }

        private static long seconds(double seconds) {
            return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        }

        long admitted() {
            return window.admitted(region);
        }

        long off() {
            return reported - admitted();
        }

        boolean exact() {
            return off() == 0;
        }

        boolean kept() {
            return off() >= 0 ? off() <= aboveMax : -off() <= belowMax;
        }

        String description() {
            return "%s in %s, window to %s: admitted %d, reported %d (%s by %d, at most %d explained)"
                    .formatted(
                            subject.policy(),
                            region,
                            Timeline.clock(window.endMicros()),
                            admitted(),
                            reported,
                            off() < 0 ? "lost: less" : "more",
                            Math.abs(off()),
                            off() < 0 ? belowMax : aboveMax);
        }
    }
}
