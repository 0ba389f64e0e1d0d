package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Timeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Checker of windows: every admission was charged to a window that was open between request and answer. All bounds count by the window that a
 * limiter names, so a limiter that named wrong ones could admit without bound. A degraded decision names none, only a time to retry. It is of
 * safety.
 */
record WindowChecker() implements Checker {
    /** Largest difference between the clocks of a region and of the drill. */
    private static final long CLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String name() {
        return "windows";
    }

    @Override
    public Finding check(DrillHistory history) {
        Timeline timeline = new Timeline(history);
        Map<String, Long> lengths = history.subjects().stream()
                .collect(Collectors.toMap(
                        Subject::policy, subject -> subject.window().toNanos()));
        List<Checked> admitted = history.of(Checked.class).stream()
                .filter(checked -> checked.outcome() == Outcome.ALLOWED && !checked.degraded())
                .filter(checked -> lengths.containsKey(checked.policy()))
                .toList();
        if (admitted.isEmpty()) {
            return Finding.unknown("Nothing was admitted.");
        }
        List<Checked> beside = admitted.stream()
                .filter(checked -> !isOpen(checked, timeline, lengths.getOrDefault(checked.policy(), 0L)))
                .toList();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("admitted", admitted.size());
        figures.put("beside", beside.size());
        return beside.isEmpty()
                ? Finding.of(true, "%,d admissions, each in an open window.".formatted(admitted.size()), figures)
                : Finding.of(false, description(admitted.size(), beside, beside.get(0)), figures);
    }

    private static boolean isOpen(Checked checked, Timeline timeline, long lengthNanos) {
        long endNanos = timeline.nanosAt(checked.windowEndMicros());
        return endNanos >= checked.atNanos() - CLOCK_NANOS
                && endNanos - lengthNanos <= checked.answeredNanos() + CLOCK_NANOS;
    }

    private static String description(int admitted, List<Checked> beside, Checked first) {
        return "%,d of %,d admissions in a window that was not open; first: %s in %s at %.1f s, window to %s."
                .formatted(
                        beside.size(),
                        admitted,
                        first.policy(),
                        first.region(),
                        Timeline.seconds(first.atNanos()),
                        Timeline.clock(first.windowEndMicros()));
    }
}
