package io.meridian.drill.checks;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Timeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Checker of availability: every check after the warm-up was answered with a decision. It is of safety, except for checks that failed at the
 * client's timeout: these are of time, because a process without a core answers late.
 */
record AvailabilityChecker() implements Checker {
    /** Lateness counts from this long before a check was sent until this long after its timeout. */
    private static final long AROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String name() {
        return "no failed check";
    }

    @Override
    public Finding check(DrillHistory history) {
        Timeline timeline = new Timeline(history);
        List<Checked> judged = history.of(Checked.class).stream()
                .filter(checked -> timeline.phaseAt(checked.atNanos()) != Phase.WARM_UP)
                .toList();
        if (judged.isEmpty()) {
            return Finding.unknown("No check was sent after the warm-up.");
        }
        List<Checked> failed = judged.stream()
                .filter(checked -> checked.outcome() == Outcome.FAILED)
                .toList();
        return failed.isEmpty()
                ? Finding.of(true, "%,d checks, all decided.".formatted(judged.size()), Map.of("checks", judged.size()))
                : finding(judged.size(), failed, timeline, new Lateness(history));
    }

    private static Finding finding(int checks, List<Checked> failed, Timeline timeline, Lateness lateness) {
        Map<String, Object> figures = figures(checks, failed, timeline);
        String description = description(checks, failed);
        if (!failed.stream().allMatch(Checked::gaveUp)) {
            return Finding.of(false, description, figures);
        }
        List<Lateness.Spread> meanwhile = failed.stream()
                .map(check -> lateness.during(check.atNanos() - AROUND_NANOS, check.answeredNanos() + AROUND_NANOS))
                .toList();
        return Finding.slow(meanwhile, description, figures);
    }

    private static String description(int checks, List<Checked> failed) {
        return "%,d of %,d checks failed, from %.1f s to %.1f s (%s); mostly: %s."
                .formatted(
                        failed.size(),
                        checks,
                        Timeline.seconds(first(failed)),
                        Timeline.seconds(last(failed)),
                        places(by(failed, Checked::region)),
                        commonest(failed));
    }

    private static long first(List<Checked> failed) {
        return failed.stream().mapToLong(Checked::atNanos).min().orElse(0);
    }

    private static long last(List<Checked> failed) {
        return failed.stream().mapToLong(Checked::atNanos).max().orElse(0);
    }

    private static String commonest(List<Checked> failed) {
        return by(failed, Checked::reason).entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private static Map<String, Object> figures(int checks, List<Checked> failed, Timeline timeline) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("checks", checks);
        figures.put("failed", failed.size());
        figures.put("gave_up", failed.stream().filter(Checked::gaveUp).count());
        figures.put("by_region", by(failed, Checked::region));
        figures.put("by_phase", by(failed, checked -> timeline.phaseAt(checked.atNanos())
                .name()));
        figures.put("first_seconds", Timeline.seconds(first(failed)));
        figures.put("last_seconds", Timeline.seconds(last(failed)));
        figures.put("commonest_reason", commonest(failed));
        return figures;
    }

    private static String places(Map<String, Long> regions) {
        return regions.entrySet().stream()
                .map(region -> region.getKey() + " " + region.getValue())
                .collect(joining(", "));
    }

    private static Map<String, Long> by(List<Checked> failed, Function<Checked, String> what) {
        return failed.stream().collect(groupingBy(what, TreeMap::new, counting()));
    }
}
