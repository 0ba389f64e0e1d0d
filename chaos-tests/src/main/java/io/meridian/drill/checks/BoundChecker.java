package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Timeline;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checker of the bound of one limit: no window, whole or partial, admitted more than its {@link WindowBound}.
 *
 * <p>It is of safety for escrow and regional limits, and for a converging limit above what its regions may admit without any verdict. Below
 * that it is of time, because the bound depends on the loop delay.
 */
record BoundChecker(Subject subject) implements Checker {
    @Override
    public String name() {
        return "bound of " + subject.policy();
    }

    @Override
    public Finding check(DrillHistory history) {
        List<WindowBound> bounds = WindowBound.judged(history, new Timeline(history), subject);
        if (bounds.isEmpty()) {
            return Finding.unknown("No check of " + subject.policy() + " was decided.");
        }
        WindowBound worst = bounds.stream()
                .max(Comparator.comparingDouble(bound -> (double) bound.admitted() / bound.units()))
                .orElseThrow();
        List<WindowBound> above = bounds.stream().filter(bound -> !bound.kept()).toList();
        String description = description(worst, above.size(), bounds.size());
        Map<String, Object> figures = figures(worst, above.size(), bounds.size());
        boolean safe = above.stream().allMatch(bound -> bound.admitted() <= bound.unitsAtAnyDelay());
        if (above.isEmpty() || !safe) {
            return Finding.of(above.isEmpty(), description, figures);
        }
        Lateness lateness = new Lateness(history);
        List<Lateness.Spread> meanwhile =
                above.stream().map(bound -> bound.lateness(lateness)).toList();
        return Finding.slow(meanwhile, description, figures);
    }

    private static String description(WindowBound worst, long broken, int windows) {
        String where = (worst.region().isEmpty() ? "" : worst.region() + " in ") + "the window to "
                + Timeline.clock(worst.window().endMicros());
        String figures = "%s admitted %d, limit %d, bound %d%s"
                .formatted(where, worst.admitted(), worst.limit(), worst.units(), why(worst));
        return broken == 0
                ? "%d windows within the bound; fullest: %s.".formatted(windows, figures)
                : "%d of %d windows above the bound; largest excess: %s.".formatted(broken, windows, figures);
    }

    private static String why(WindowBound bound) {
        String converge = bound.parts() > 1 ? ", network in %d parts".formatted(bound.parts()) : "";
        String loop = bound.loopMillis() > 0 ? ", loop %.0f ms".formatted(bound.loopMillis()) : "";
        String degraded = bound.degraded() > 0 ? ", %d answers without Redis".formatted(bound.degraded()) : "";
        String why = converge + loop + degraded;
        return why.isEmpty() ? "" : " (" + why.substring(2) + ")";
    }

    private Map<String, Object> figures(WindowBound worst, long broken, int windows) {
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
