package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Every admission was charged to a window that was open between question and answer. All bounds are counted by the window that a limiter
 * names: one that named others could admit without end. Without Redis it names none, only when to ask again. A check of safety.
 */
record WindowsNamed() implements Checker {
    /** How far the clock of a region may be beside the drill's. */
    private static final long CLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String name() {
        return "windows";
    }

    @Override
    public Finding check(History history) {
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
                ? Finding.of(true, "%,d admissions, each in a window open then.".formatted(admitted.size()), figures)
                : Finding.of(false, words(admitted.size(), beside, beside.get(0)), figures);
    }

    private static boolean isOpen(Checked checked, Timeline timeline, long lengthNanos) {
        long endNanos = timeline.nanosAt(checked.windowEndMicros());
        return endNanos >= checked.atNanos() - CLOCK_NANOS
                && endNanos - lengthNanos <= checked.answeredNanos() + CLOCK_NANOS;
    }

    private static String words(int admitted, List<Checked> beside, Checked first) {
        return "%,d of %,d admissions in a window not open then; first: %s of %s at %.1f s, in the window to %s."
                .formatted(
                        beside.size(),
                        admitted,
                        first.policy(),
                        first.region(),
                        Seconds.of(first.atNanos()),
                        Timeline.clock(first.windowEndMicros()));
    }
}
