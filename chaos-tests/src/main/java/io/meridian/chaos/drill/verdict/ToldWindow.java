package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import java.util.concurrent.TimeUnit;

/**
 * What the usage topic told of a window in one region beside what that admitted, and how far the two may differ.
 *
 * <p>A region tells only of itself, so what it lost no other's surplus makes good, and a part that was lost excuses only its own region.
 *
 * <p>Below by what was admitted without Redis, which is charged afterwards as far as it fits, and by what a region admits in one
 * interval of reports if its Redis lost what it held, or, of its own limits, if a limiter was killed. Above by answers without Redis,
 * which may have been charged before Redis was given up, whatever was answered then, on either side of a window's edge if they were under
 * way across it, and with what each asked for ahead, which counts as spent if the answer never came; by failed checks, for the same reason; and by what a
 * killed limiter had leased, which counts as spent, up to the limit in all.
 *
 * <p>What a kill or a wipe loses is what was counted in the interval of reports before it, however long the part stays away: so it
 * concerns the windows that overlap [begin − interval, begin], and not those after. On a machine without a free core reports go out later,
 * so the interval is longer by the longest lateness of the load around the window, if that is above what an idle machine shows.
 */
record ToldWindow(Subject subject, WindowCount window, String region, long told, long belowMax, long aboveMax) {
    /** Reports of a limit that regions share go out every 100 ms; a busy machine takes some times that. */
    private static final double REPORT_SECONDS = 0.5;
    /** Those of a region's own limits every 5 s. */
    private static final double REGIONAL_REPORT_SECONDS = 6;

    /** The largest part of a limit that is leased at once. */
    private static final long LEASE_PART = 16;

    /** A fault is told before it is done: so much later it is. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So long a client waits: a check that failed may have been charged until then. */
    private static final long SEND_NANOS = TimeUnit.SECONDS.toNanos(6);

    static ToldWindow of(
            Subject subject,
            WindowCount window,
            String region,
            SubjectWindows windows,
            Timeline timeline,
            Lateness lateness,
            long told) {
        long from = window.startNanos();
        long to = window.endNanos();
        // What was not reported yet when the window ended can be lost with the next one.
        double reportSeconds = reportSeconds(subject);
        if (timeline.faults().stream().anyMatch(fault -> fault.losesRedis(region) || fault.killsLimiter(region))) {
            double lateMillis = lateness.during(from - TOLD_NANOS, to + seconds(reportSeconds))
                    .maxMillis();
            reportSeconds += lateMillis > Lateness.STARVED_P99_MILLIS ? lateMillis / TimeUnit.SECONDS.toMillis(1) : 0;
        }
        long interval = seconds(reportSeconds);
        boolean redisLost = timeline.faults().stream()
                .anyMatch(fault -> fault.losesRedis(region) && fault.beginsDuring(from - TOLD_NANOS, to + interval));
        boolean limiterLost = timeline.faults().stream()
                .anyMatch(fault -> fault.killsLimiter(region) && fault.beginsDuring(from - TOLD_NANOS, to + interval));
        double perSecond = windows.perSecondDuring(from, to, region);
        // What a limiter took of its region's own limits it tells from memory, every few seconds.
        boolean unsaid = limiterLost && subject.sharing() == Sharing.REGIONAL;
        long unreported = redisLost || unsaid ? (long) Math.ceil(reportSeconds * perSecond) : 0;
        long spent = subject.sharing() == Sharing.REGIONAL ? window.admitted(region) : window.admitted();
        long leased = limiterLost ? Math.max(0, subject.limit() - spent) : 0;
        long charged = windows.failedDuring(from - SEND_NANOS, to, region);
        long unanswered =
                window.degraded(region) + windows.degradedAcross(from, region) + windows.degradedAcross(to, region);
        long ahead = unanswered * subject.limit() / LEASE_PART;
        return new ToldWindow(
                subject,
                window,
                region,
                told,
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
        return told - admitted();
    }

    boolean exact() {
        return off() == 0;
    }

    boolean kept() {
        return off() >= 0 ? off() <= aboveMax : -off() <= belowMax;
    }

    String words() {
        return "%s in %s, window to %s: admitted %d, told of %d (%s by %d, at most %d can be explained)"
                .formatted(
                        subject.policy(),
                        region,
                        Timeline.clock(window.endMicros()),
                        admitted(),
                        told,
                        off() < 0 ? "lost: less" : "more",
                        Math.abs(off()),
                        off() < 0 ? belowMax : aboveMax);
    }
}
