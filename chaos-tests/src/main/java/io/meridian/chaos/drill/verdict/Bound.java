package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What a window may have admitted at most, and what did.
 *
 * <ul>
 *   <li>escrow: the limit, in every execution
 *   <li>regional: the limit in each region; twice of it where the region had to decide without its Redis, or its Redis lost its data:
 *       each instance charges the empty one with what it remembers when it next asks, and others are admitted until then
 *   <li>converge: the limit and what was asked for within one loop delay after it was used up, of each region as much as its own use had
 *       left; one whose Redis lost its data knows again two delays after that. In a world of c &gt; 1 parts c × limit + rate × loop
 *       delay, because each part uses it up at another time. Never more than every region's own limit; besides, what regions admitted
 *       without their Redis, up to twice the limit each. c is the most parts the world was in from one window before to the end of this
 *       one, because the loop has to catch up after a heal. The delay is what regions tell, so it is not believed beyond 2 s and what was
 *       done to the world explains ({@link LoopMax}): a slow loop would allow itself what it lets through
 * </ul>
 *
 * @param region empty for all of them together
 * @param unitsAtAnyDelay the same however slow the loop was: each region's own limit is kept by its Redis
 * @param parts c; 1 unless the limit converges
 * @param loopMillis the delay reckoned with; 0 unless the limit converges
 * @param degraded answers given without Redis
 */
public record Bound(
        WindowCount window,
        String region,
        long admitted,
        long limit,
        long units,
        long unitsAtAnyDelay,
        int parts,
        double loopMillis,
        long degraded) {
    /** A loop is never reckoned to be faster: reports go out every 100 ms, and leaders speak as often. */
    static final double LOOP_MIN_MILLIS = 300;

    private static final int DEGRADED_FACTOR = 2;
    /** Until a region that lost its Redis knows again: it tells of its new incarnation, and is told. */
    private static final int FORGETFUL_LOOPS = 2;
    /** A phase that begins with a window is told of a moment later. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** One for each window; where the limit is regional, for each region and window. */
    public static List<Bound> all(History history, Timeline timeline, Subject subject) {
        SubjectWindows windows = new SubjectWindows(history, timeline, subject);
        return windows.all().stream()
                .flatMap(window -> switch (subject.sharing()) {
                    case REGIONAL ->
                        history.regions().stream().map(region -> regional(subject, window, region, timeline));
                    case ESCROW -> List.of(escrow(subject, window)).stream();
                    case CONVERGE -> List.of(converge(subject, window, windows, timeline, history.regions())).stream();
                })
                .filter(bound -> subject.sharing() != Sharing.REGIONAL || bound.window.asked(bound.region) > 0)
                .toList();
    }

    /** Those that are judged. */
    static List<Bound> judged(History history, Timeline timeline, Subject subject) {
        return all(history, timeline, subject).stream()
                .filter(bound -> bound.isJudged(subject, timeline))
                .toList();
    }

    /** Cold limiters decide without Redis, or not at all: what only holds for the others is not held against them. */
    public boolean isJudged(Subject subject, Timeline timeline) {
        return subject.sharing() == Sharing.ESCROW
                || timeline.phaseAt(window.startNanos() + SLACK_NANOS) != Phase.WARM_UP;
    }

    boolean kept() {
        return admitted <= units;
    }

    /** Lateness of the load while the loop had to keep this window, and the one before, whose news it may still have been telling. */
    Lateness.Spread lateness(Lateness all) {
        long lengthNanos = window.endNanos() - window.startNanos();
        return all.during(window.startNanos() - lengthNanos, window.endNanos() + AFTER_NANOS);
    }

    private static Bound escrow(Subject subject, WindowCount window) {
        long limit = subject.limit();
        return new Bound(window, "", window.admitted(), limit, limit, limit, 1, 0, window.degraded());
    }

    private static Bound regional(Subject subject, WindowCount window, String region, Timeline timeline) {
        long degraded = window.degraded(region);
        boolean lost = timeline.faults().stream()
                .anyMatch(fault -> fault.losesRedis(region) && fault.overlaps(window.startNanos(), window.endNanos()));
        long units = degraded == 0 && !lost ? subject.limit() : DEGRADED_FACTOR * subject.limit();
        return new Bound(window, region, window.admitted(region), subject.limit(), units, units, 1, 0, degraded);
    }

    private static Bound converge(
            Subject subject, WindowCount window, SubjectWindows windows, Timeline timeline, List<String> regions) {
        long limit = subject.limit();
        long beforeNanos = window.startNanos() - subject.window().toNanos();
        int parts = timeline.partsDuring(beforeNanos, window.endNanos());
        double loopMillis = Math.max(LOOP_MIN_MILLIS, believedMillis(window, timeline));
        OptionalLong usedUp = parts > 1 ? OptionalLong.empty() : window.usedUpNanos(limit);
        double perSecond = windows.perSecondDuring(window.startNanos(), window.endNanos());
        double unknowing = usedUp.isPresent()
                ? unknowing(subject, window, timeline, regions, usedUp.getAsLong(), loopMillis)
                : perSecond * loopMillis / TimeUnit.SECONDS.toMillis(1);
        double whole = parts * (double) limit + unknowing;
        long alone = Math.multiplyExact(limit, Math.max(parts, regions.size()));
        long degraded = regions.stream()
                .mapToLong(region -> Math.min(window.degradedAdmitted(region), DEGRADED_FACTOR * limit))
                .sum();
        long units = (long) Math.floor(Math.min(whole, (double) alone)) + degraded;
        return new Bound(
                window, "", window.admitted(), limit, units, alone + degraded, parts, loopMillis, window.degraded());
    }

    /** Units that regions may have admitted before they knew that the limit was used up, for any shape of the load. */
    private static long unknowing(
            Subject subject,
            WindowCount window,
            Timeline timeline,
            List<String> regions,
            long usedUpNanos,
            double loopMillis) {
        long loopNanos = (long) (loopMillis * TimeUnit.MILLISECONDS.toNanos(1));
        long all = regions.stream()
                .mapToLong(region -> unknowing(subject, window, region, timeline, usedUpNanos, loopNanos))
                .sum();
        // But for the check that used it up.
        return all - 1;
    }

    /** Units that one region was asked for, at most what its own use had left. */
    private static long unknowing(
            Subject subject, WindowCount window, String region, Timeline timeline, long usedUpNanos, long loopNanos) {
        List<FaultSpan> forgot = timeline.faults().stream()
                .filter(fault -> fault.losesRedis(region) && fault.overlaps(window.startNanos(), window.endNanos()))
                .toList();
        long asked = window.count(checked -> checked.region().equals(region)
                && (isWithin(checked, usedUpNanos, usedUpNanos + loopNanos)
                        || forgot.stream()
                                .anyMatch(fault -> isWithin(
                                        checked, fault.fromNanos(), fault.toNanos() + FORGETFUL_LOOPS * loopNanos))));
        long own = window.count(checked -> WindowCount.isAllowed(checked)
                && !checked.degraded()
                && checked.region().equals(region)
                && checked.answeredNanos() < usedUpNanos);
        return forgot.isEmpty() ? Math.min(asked, Math.max(0, subject.limit() - own)) : asked;
    }

    /** Whether it may have been decided in that time. */
    private static boolean isWithin(Checked checked, long fromNanos, long toNanos) {
        return checked.answeredNanos() >= fromNanos && checked.atNanos() <= toNanos;
    }

    private static double believedMillis(WindowCount window, Timeline timeline) {
        long toNanos = window.endNanos() + AFTER_NANOS;
        double told = timeline.loop().millisDuring(window.startNanos(), toNanos).orElse(0);
        return Math.min(told, LoopMax.millis(timeline.faults(), window.startNanos(), toNanos));
    }
}
