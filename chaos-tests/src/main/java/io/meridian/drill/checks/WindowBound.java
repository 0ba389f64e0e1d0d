package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.FaultSpan;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.drill.history.SubjectWindows;
import io.meridian.drill.history.SubjectWindows.ObservedWindow;
import io.meridian.drill.history.Timeline;
import io.meridian.drill.history.Timeline.ObservedLoopDelay;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Bound on the units that a window may admit, and the admitted units.
 *
 * <ul>
 *   <li>escrow: the limit, in every execution
 *   <li>regional: the limit in each region; twice the limit where the region decided without its Redis, or its Redis lost its data, because
 *       each instance charges the empty Redis with what it remembers only with its next check, and other checks are admitted until then
 *   <li>converge: the limit, and what was requested within one loop delay after it was used up, in each region at most what its own usage left
 *       of the limit; a region whose Redis lost its data knows the usage again two delays later. With a network in c &gt; 1 parts c × limit +
 *       rate × loop delay, because each part uses the limit up at a different time. Never more than the limit in each region; in addition what
 *       regions admitted without their Redis, up to twice the limit each. c is the largest number of parts from one window before to the end
 *       of this one, because the loop has to catch up after a heal. The delay is reported by the regions, so it is accepted only up to 2 s and
 *       what the injected faults explain ({@link LoopDelayMax}): otherwise a slow loop would raise its own bound
 * </ul>
 *
 * @param region empty for all regions together
 * @param unitsAtAnyDelay the bound for any loop delay: each region's Redis keeps the limit for that region
 * @param parts c; 1 unless the limit converges
 * @param loopMillis the loop delay in the bound; 0 unless the limit converges
 * @param degraded number of answers without Redis
 */
public record WindowBound(
        ObservedWindow window,
        String region,
        long admitted,
        long limit,
        long units,
        long unitsAtAnyDelay,
        int parts,
        double loopMillis,
        long degraded) {
    /** Smallest loop delay in a bound: reports go out every 100 ms, and verdicts as often. */
    static final double LOOP_MIN_MILLIS = 300;

    private static final int DEGRADED_FACTOR = 2;
    /** Loops until a region with an empty Redis knows the usage again: it announces its new incarnation, and receives verdicts for it. */
    private static final int INCARNATION_LOOPS = 2;
    /** A phase that begins with a window is recorded a moment later. */
    private static final long SLACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** One bound for each window; of a regional limit one for each region and window. */
    public static List<WindowBound> all(DrillHistory history, Timeline timeline, Subject subject) {
        SubjectWindows windows = new SubjectWindows(history, timeline, subject);
        return windows.all().stream()
                .flatMap(window -> switch (subject.sharing()) {
                    case REGIONAL ->
                        history.regions().stream().map(region -> regional(subject, window, region, timeline));
                    case ESCROW -> List.of(escrow(subject, window)).stream();
                    case CONVERGE -> List.of(converge(subject, window, windows, timeline, history.regions())).stream();
                })
                .filter(bound -> subject.sharing() != Sharing.REGIONAL || bound.window.requested(bound.region) > 0)
                .toList();
    }

    /** The bounds that are judged. */
    static List<WindowBound> judged(DrillHistory history, Timeline timeline, Subject subject) {
        return all(history, timeline, subject).stream()
                .filter(bound -> bound.isJudged(subject, timeline))
                .toList();
    }

    /** Only escrow is judged in the warm-up, because cold limiters may decide without Redis or not at all. */
    public boolean isJudged(Subject subject, Timeline timeline) {
        return subject.sharing() == Sharing.ESCROW
                || timeline.phaseAt(window.startNanos() + SLACK_NANOS) != Phase.WARM_UP;
    }

    boolean kept() {
        return admitted <= units;
    }

    /** Lateness of the load in this window and the one before it, whose verdicts may still have been under way. */
    Lateness.Spread lateness(Lateness all) {
        long lengthNanos = window.endNanos() - window.startNanos();
        return all.during(window.startNanos() - lengthNanos, window.endNanos() + AFTER_NANOS);
    }

    private static WindowBound escrow(Subject subject, ObservedWindow window) {
        long limit = subject.limit();
        return new WindowBound(window, "", window.admitted(), limit, limit, limit, 1, 0, window.degraded());
    }

    private static WindowBound regional(Subject subject, ObservedWindow window, String region, Timeline timeline) {
        long degraded = window.degraded(region);
        boolean lost = timeline.faults().stream()
                .anyMatch(fault -> fault.losesRedis(region) && fault.overlaps(window.startNanos(), window.endNanos()));
        long units = degraded == 0 && !lost ? subject.limit() : DEGRADED_FACTOR * subject.limit();
        return new WindowBound(window, region, window.admitted(region), subject.limit(), units, units, 1, 0, degraded);
    }

    private static WindowBound converge(
            Subject subject, ObservedWindow window, SubjectWindows windows, Timeline timeline, List<String> regions) {
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
        return new WindowBound(
                window, "", window.admitted(), limit, units, alone + degraded, parts, loopMillis, window.degraded());
    }

    /** Units that regions may have admitted before they knew that the limit was used up, for any distribution of the load. */
    private static long unknowing(
            Subject subject,
            ObservedWindow window,
            Timeline timeline,
            List<String> regions,
            long usedUpNanos,
            double loopMillis) {
        long loopNanos = (long) (loopMillis * TimeUnit.MILLISECONDS.toNanos(1));
        long all = regions.stream()
                .mapToLong(region -> unknowing(subject, window, region, timeline, usedUpNanos, loopNanos))
                .sum();
        // The check that used the limit up is within the limit.
        return all - 1;
    }

    /** Units that were requested of one region, at most what its own usage left of the limit. */
    private static long unknowing(
            Subject subject,
            ObservedWindow window,
            String region,
            Timeline timeline,
            long usedUpNanos,
            long loopNanos) {
        List<FaultSpan> losses = timeline.faults().stream()
                .filter(fault -> fault.losesRedis(region) && fault.overlaps(window.startNanos(), window.endNanos()))
                .toList();
        long requested = window.count(checked -> checked.region().equals(region)
                && (isWithin(checked, usedUpNanos, usedUpNanos + loopNanos)
                        || losses.stream()
                                .anyMatch(fault -> isWithin(
                                        checked, fault.fromNanos(), fault.toNanos() + INCARNATION_LOOPS * loopNanos))));
        long own = window.count(checked -> ObservedWindow.isAllowed(checked)
                && !checked.degraded()
                && checked.region().equals(region)
                && checked.answeredNanos() < usedUpNanos);
        return losses.isEmpty() ? Math.min(requested, Math.max(0, subject.limit() - own)) : requested;
    }

    /** Whether the check may have been decided in that time. */
    private static boolean isWithin(Checked checked, long fromNanos, long toNanos) {
        return checked.answeredNanos() >= fromNanos && checked.atNanos() <= toNanos;
    }

    private static double believedMillis(ObservedWindow window, Timeline timeline) {
        long toNanos = window.endNanos() + AFTER_NANOS;
        double reportedMillis =
                timeline.loop().millisDuring(window.startNanos(), toNanos).orElse(0);
        return Math.min(reportedMillis, LoopDelayMax.millis(timeline.faults(), window.startNanos(), toNanos));
    }

    /**
     * Largest loop delay that the injected faults explain.
     *
     * <p>2 s without faults. In addition, of the faults that a region's maximum still covers: four one-way trips of the longest injected delay,
     * and the duration of the longest other fault, because what waited for it proceeds when it ends. A fault that comes and goes counts with its
     * total duration, because the loop may not recover in between.
     */
    private static final class LoopDelayMax {
        /** Without faults a loop takes a few hundred milliseconds, and on a busy machine up to 1.4 s. */
        private static final double FAULTLESS_MILLIS = 2_000;
        /** A report and its acknowledgement, a fetch and its answer. */
        private static final int TRIPS = 4;

        private LoopDelayMax() {}

        /** In a window between these times. */
        static double millis(List<FaultSpan> faults, long fromNanos, long toNanos) {
            double furtherMillis = 0;
            Map<String, Double> lasted = new HashMap<>();
            for (FaultSpan fault : faults) {
                if (!fault.delaysLoop() || !fault.overlaps(fromNanos - ObservedLoopDelay.REMEMBERED_NANOS, toNanos)) {
                    continue;
                }
                OptionalLong further = fault.addedDelayMillis();
                if (further.isPresent()) {
                    furtherMillis = Math.max(furtherMillis, (double) (TRIPS * further.getAsLong()));
                } else {
                    double millis = (Math.min(fault.toNanos(), toNanos) - fault.fromNanos()) / 1e6;
                    lasted.merge(fault.fault(), millis, Double::sum);
                }
            }
            double longestMillis = lasted.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            return FAULTLESS_MILLIS + furtherMillis + longestMillis;
        }
    }
}
