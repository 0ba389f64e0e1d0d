package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** No window of one limit, whole or not, admitted more than {@link Bound} allows. */
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
        long broken = bounds.stream().filter(bound -> !bound.kept()).count();
        return Finding.of(broken == 0, words(worst, broken, bounds.size()), figures(worst, broken, bounds.size()));
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
