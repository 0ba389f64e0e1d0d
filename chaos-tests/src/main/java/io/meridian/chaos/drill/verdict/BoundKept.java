package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * No window of one limit, whole or not, admitted more than {@link Bound} allows.
 *
 * <p>A check of safety for granted and regional limits, and for a converging one up to what its regions may admit if none hears of another. A
 * check of time below that: there the bound rests on how fast the loop is.
 */
record BoundKept(Subject subject) implements Checker {
    @Override
    public String name() {
        return "bound of " + subject.policy();
    }

    @Override
    public Finding check(History history) {
        List<Bound> bounds = Bound.judged(history, new Timeline(history), subject);
        if (bounds.isEmpty()) {
            return Finding.unknown("No check of " + subject.policy() + " was decided.");
        }
        Bound worst = bounds.stream()
                .max(Comparator.comparingDouble(bound -> (double) bound.admitted() / bound.units()))
                .orElseThrow();
        List<Bound> above = bounds.stream().filter(bound -> !bound.kept()).toList();
        String words = words(worst, above.size(), bounds.size());
        Map<String, Object> figures = figures(worst, above.size(), bounds.size());
        boolean safe = above.stream().allMatch(bound -> bound.admitted() <= bound.unitsAtAnyDelay());
        if (above.isEmpty() || !safe) {
            return Finding.of(above.isEmpty(), words, figures);
        }
        Lateness lateness = new Lateness(history);
        List<Lateness.Spread> meanwhile =
                above.stream().map(bound -> bound.lateness(lateness)).toList();
        return Finding.slow(meanwhile, words, figures);
    }

    private static String words(Bound worst, long broken, int windows) {
        String where = (worst.region().isEmpty() ? "" : worst.region() + " in ") + "the window to "
                + Timeline.clock(worst.window().endMicros());
        String figures = "%s admitted %d, limit %d, bound %d%s"
                .formatted(where, worst.admitted(), worst.limit(), worst.units(), why(worst));
        return broken == 0
                ? "%d windows within the bound; fullest: %s.".formatted(windows, figures)
                : "%d of %d windows above the bound; worst: %s.".formatted(broken, windows, figures);
    }

    private static String why(Bound bound) {
        String converge = bound.parts() > 1 ? ", world in %d parts".formatted(bound.parts()) : "";
        String loop = bound.loopMillis() > 0 ? ", loop %.0f ms".formatted(bound.loopMillis()) : "";
        String degraded = bound.degraded() > 0 ? ", %d answers without Redis".formatted(bound.degraded()) : "";
        String why = converge + loop + degraded;
        return why.isEmpty() ? "" : " (" + why.substring(2) + ")";
    }

    private Map<String, Object> figures(Bound worst, long broken, int windows) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("policy", subject.policy());
        figures.put("sharing", subject.sharing().name());
        figures.put("windows", windows);
        figures.put("windows_above", broken);
        figures.put("worst_window_end_micros", worst.window().endMicros());
        figures.put("worst_region", worst.region());
        figures.put("admitted", worst.admitted());
        figures.put("limit", worst.limit());
        figures.put("bound", worst.units());
        figures.put("parts", worst.parts());
        figures.put("loop_ms", worst.loopMillis());
        figures.put("degraded", worst.degraded());
        return figures;
    }
}
