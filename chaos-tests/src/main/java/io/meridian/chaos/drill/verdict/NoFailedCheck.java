package io.meridian.chaos.drill.verdict;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Every check after the warm-up had a decision for an answer. */
record NoFailedCheck() implements Checker {
    @Override
    public String name() {
        return "no failed check";
    }

    @Override
    public Finding check(History history) {
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
                : violated(judged.size(), failed, timeline);
    }

    private static Finding violated(int checks, List<Checked> failed, Timeline timeline) {
        Map<String, Long> reasons = by(failed, Checked::reason);
        String commonest = reasons.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        Map<String, Long> regions = by(failed, Checked::region);
        Map<String, Long> phases =
                by(failed, checked -> timeline.phaseAt(checked.atNanos()).name());
        long first = failed.stream().mapToLong(Checked::atNanos).min().orElse(0);
        long last = failed.stream().mapToLong(Checked::atNanos).max().orElse(0);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("checks", checks);
        figures.put("failed", failed.size());
        figures.put("by_region", regions);
        figures.put("by_phase", phases);
        figures.put("first_seconds", Seconds.of(first));
        figures.put("last_seconds", Seconds.of(last));
        figures.put("commonest_reason", commonest);
        return Finding.of(
                false,
                "%,d of %,d checks failed, from %.1f s to %.1f s (%s); mostly: %s."
                        .formatted(
                                failed.size(), checks, Seconds.of(first), Seconds.of(last), places(regions), commonest),
                figures);
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
