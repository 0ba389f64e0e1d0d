package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.history.Subject.Sharing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * After the last fault ended, all regions count together again in time. A check of time.
 *
 * <p>They do from when every region hears of the centre ({@link HeardAgain}) and no converging limit admits beyond its limit and
 * what was asked for in one second: what a window had too much before the heal, it keeps, but gets no more of.
 */
record ConvergenceTime(Duration within) implements Checker {
    @Override
    public String name() {
        return "convergence time";
    }

    @Override
    public Finding check(History history) {
        Timeline timeline = new Timeline(history);
        List<FaultSpan> faults = timeline.faults();
        if (faults.isEmpty()) {
            return Finding.unknown("No fault was seen.");
        }
        List<String> lasting = faults.stream()
                .filter(fault -> !fault.ended())
                .map(FaultSpan::words)
                .toList();
        if (!lasting.isEmpty()) {
            return Finding.unknown("A fault never ended: " + lasting + ".");
        }
        long healNanos = faults.stream().mapToLong(FaultSpan::toNanos).max().orElseThrow();
        HeardAgain heard = HeardAgain.after(healNanos, history);
        if (!heard.unseen().isEmpty()) {
            return Finding.unknown("After the heal nobody saw the loop of " + heard.unseen() + ".");
        }
        return finding(heard, lastAbove(history, timeline, healNanos), healNanos, new Lateness(history));
    }

    private Finding finding(HeardAgain heard, long aboveNanos, long healNanos, Lateness lateness) {
        OptionalLong loopNanos = heard.atNanos();
        if (loopNanos.isEmpty()) {
            return late(
                    lateness.during(healNanos, Long.MAX_VALUE),
                    "After the heal %s never heard of the centre again.".formatted(heard.silent()),
                    Map.of("silent", heard.silent()));
        }
        double loop = Seconds.of(loopNanos.getAsLong() - healNanos);
        double above = Seconds.of(aboveNanos - healNanos);
        double took = Math.max(loop, above);
        double limit = Seconds.of(within.toNanos());
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("seconds", took);
        figures.put("limit_seconds", limit);
        figures.put("loop_seconds", loop);
        figures.put("last_above_seconds", above);
        String words =
                "%.1f s after the heal all regions counted together again (limit %.0f s).".formatted(took, limit);
        return took <= limit
                ? Finding.of(true, words, figures)
                : late(lateness.during(healNanos, Math.max(loopNanos.getAsLong(), aboveNanos)), words, figures);
    }

    private static Finding late(Lateness.Spread meanwhile, String words, Map<String, Object> figures) {
        return Finding.slow(List.of(meanwhile), words, figures);
    }

    /** When a converging limit last admitted what it would not have, had the world been whole; the heal if it never did. */
    private static long lastAbove(History history, Timeline timeline, long healNanos) {
        long last = healNanos;
        for (Subject subject : history.subjects()) {
            if (subject.sharing() == Sharing.CONVERGE) {
                SubjectWindows windows = new SubjectWindows(history, timeline, subject);
                for (WindowCount window : windows.all()) {
                    last = Math.max(last, lastAbove(subject, window, windows));
                }
            }
        }
        return last;
    }

    private static long lastAbove(Subject subject, WindowCount window, SubjectWindows windows) {
        double most = subject.limit() + windows.perSecondDuring(window.startNanos(), window.endNanos());
        List<Checked> allowed = window.allowed();
        return allowed.stream()
                .skip((long) Math.ceil(most))
                .filter(checked -> !checked.degraded())
                .mapToLong(Checked::atNanos)
                .max()
                .orElse(-TimeUnit.DAYS.toNanos(1));
    }
}
