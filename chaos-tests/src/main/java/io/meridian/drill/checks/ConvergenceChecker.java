package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.history.FaultSpan;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Subject.Sharing;
import io.meridian.drill.history.SubjectWindows;
import io.meridian.drill.history.SubjectWindows.ObservedWindow;
import io.meridian.drill.history.Timeline;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Checker of convergence: after the end of the last fault all regions share usage again in time. It is of time.
 *
 * <p>They do as soon as every region receives from its leaders ({@link LoopRecovery}) and no converging limit admits more than its limit and
 * the requests of one second. A window keeps its excess from before the heal, but must not grow it.
 */
record ConvergenceChecker(Duration within) implements Checker {
    @Override
    public String name() {
        return "convergence time";
    }

    @Override
    public Finding check(DrillHistory history) {
        Timeline timeline = new Timeline(history);
        List<FaultSpan> faults = timeline.faults();
        if (faults.isEmpty()) {
            return Finding.unknown("No fault was recorded.");
        }
        List<String> lasting = faults.stream()
                .filter(fault -> !fault.ended())
                .map(FaultSpan::description)
                .toList();
        if (!lasting.isEmpty()) {
            return Finding.unknown("A fault never ended: " + lasting + ".");
        }
        long healNanos = faults.stream().mapToLong(FaultSpan::toNanos).max().orElseThrow();
        LoopRecovery recovery = LoopRecovery.after(healNanos, history);
        if (!recovery.unseen().isEmpty()) {
            return Finding.unknown("After the heal there is no loop sample of " + recovery.unseen() + ".");
        }
        return finding(recovery, lastAbove(history, timeline, healNanos), healNanos, new Lateness(history));
    }

    private Finding finding(LoopRecovery recovery, long aboveNanos, long healNanos, Lateness lateness) {
        OptionalLong loopNanos = recovery.atNanos();
        if (loopNanos.isEmpty()) {
            return late(
                    lateness.during(healNanos, Long.MAX_VALUE),
                    "After the heal %s never received from the leaders again.".formatted(recovery.silent()),
                    Map.of("silent", recovery.silent()));
        }
        double loop = Timeline.seconds(loopNanos.getAsLong() - healNanos);
        double above = Timeline.seconds(aboveNanos - healNanos);
        double took = Math.max(loop, above);
        double limit = Timeline.seconds(within.toNanos());
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("seconds", took);
        figures.put("limit_seconds", limit);
        figures.put("loop_seconds", loop);
        figures.put("last_above_seconds", above);
        String description =
                "%.1f s after the heal all regions shared usage again (limit %.0f s).".formatted(took, limit);
        return took <= limit
                ? Finding.of(true, description, figures)
                : late(lateness.during(healNanos, Math.max(loopNanos.getAsLong(), aboveNanos)), description, figures);
    }

    private static Finding late(Lateness.Spread meanwhile, String description, Map<String, Object> figures) {
        return Finding.slow(List.of(meanwhile), description, figures);
    }

    /** Time when a converging limit last admitted more than with a connected network; the heal if it never did. */
    private static long lastAbove(DrillHistory history, Timeline timeline, long healNanos) {
        long last = healNanos;
        for (Subject subject : history.subjects()) {
            if (subject.sharing() == Sharing.CONVERGE) {
                SubjectWindows windows = new SubjectWindows(history, timeline, subject);
                for (ObservedWindow window : windows.all()) {
                    last = Math.max(last, lastAbove(subject, window, windows));
                }
            }
        }
        return last;
    }

    private static long lastAbove(Subject subject, ObservedWindow window, SubjectWindows windows) {
        double most = subject.limit() + windows.perSecondDuring(window.startNanos(), window.endNanos());
        List<Checked> allowed = window.allowed();
        return allowed.stream()
                .skip((long) Math.ceil(most))
                .filter(checked -> !checked.degraded())
                .mapToLong(Checked::atNanos)
                .max()
                .orElse(-TimeUnit.DAYS.toNanos(1));
    }

    /**
     * Time after a heal from which all regions received from their leaders to the end. A region does if it received something within the last
     * second; where that is not reported, if its slowest loop is as fast. The silence comes first, because the slowest loop of the last minute
     * still covers a split that is over.
     *
     * @param unseen regions without a sample
     * @param silent regions whose last sample is too slow
     */
    private record LoopRecovery(OptionalLong atNanos, List<String> unseen, List<String> silent) {
        private static final double HEARD_MAX_MILLIS = 1_000;

        static LoopRecovery after(long healNanos, DrillHistory history) {
            Map<String, Boolean> hears = new HashMap<>();
            OptionalLong at = OptionalLong.empty();
            List<LoopSampled> samples = history.of(LoopSampled.class).stream()
                    .filter(seen -> seen.atNanos() >= healNanos && !Double.isNaN(millis(seen)))
                    .sorted(Comparator.comparingLong(LoopSampled::atNanos))
                    .toList();
            for (LoopSampled seen : samples) {
                hears.put(seen.region(), millis(seen) < HEARD_MAX_MILLIS);
                boolean all = history.regions().stream().allMatch(region -> hears.getOrDefault(region, false));
                if (!all) {
                    at = OptionalLong.empty();
                } else if (at.isEmpty()) {
                    at = OptionalLong.of(seen.atNanos());
                }
            }
            return new LoopRecovery(
                    at,
                    history.regions().stream()
                            .filter(region -> !hears.containsKey(region))
                            .toList(),
                    history.regions().stream()
                            .filter(region -> !hears.getOrDefault(region, false))
                            .toList());
        }

        private static double millis(LoopSampled seen) {
            return Double.isNaN(seen.silentMillis()) ? seen.maxMillis() : seen.silentMillis();
        }
    }
}
