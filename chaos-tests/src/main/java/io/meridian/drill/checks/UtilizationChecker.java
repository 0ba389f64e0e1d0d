package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Timeline;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Checker of utilization: in the control phase each limit was used up if demand exceeded it, else all demand was admitted. Without it, a
 * limiter that denies everything would keep every bound. It is of time: a limiter without a core denies checks whose grant does not arrive
 * in time.
 */
record UtilizationChecker() implements Checker {
    private static final double USED_MIN = 0.99;
    /** Fraction of a window, as a divisor, that may lie outside the phase. */
    private static final long SLACK = 20;

    private record Use(Subject subject, WindowBound bound) {
        double share() {
            return (double) bound.admitted() / due();
        }

        /** Demand, at most the limit. */
        private long due() {
            long requested = bound.region().isEmpty()
                    ? bound.window().requested()
                    : bound.window().requested(bound.region());
            return Math.min(requested, bound.limit());
        }

        /** Whether enough was admitted; one unit may be missing, which a limiter may hold in a lease when its checks end. */
        boolean enough() {
            return bound.admitted() >= Math.min(USED_MIN * due(), (double) due() - 1);
        }
    }

    @Override
    public String name() {
        return "limit used";
    }

    @Override
    public Finding check(DrillHistory history) {
        Timeline timeline = new Timeline(history);
        List<Use> uses = history.subjects().stream()
                .flatMap(subject -> inControl(history, timeline, subject))
                .toList();
        if (uses.isEmpty()) {
            return Finding.unknown("There were no checks in a whole window of the control phase.");
        }
        Use least = uses.stream().min(Comparator.comparingDouble(Use::share)).orElseThrow();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("windows", uses.size());
        figures.put(
                "policies",
                uses.stream().map(use -> use.subject().policy()).distinct().toList());
        figures.put("least_percent", Math.round(10_000 * least.share()) / 100.0);
        figures.put("least_policy", least.subject().policy());
        String description =
                "In the control phase %s admitted at least %.1f %% of what its limit allows, over %d whole windows (required %.0f %%, or all but one unit)."
                        .formatted(least.subject().policy(), 100 * least.share(), uses.size(), 100 * USED_MIN);
        Lateness lateness = new Lateness(history);
        List<Lateness.Spread> meanwhile = uses.stream()
                .filter(use -> !use.enough())
                .map(use -> lateness.during(
                        use.bound().window().startNanos(), use.bound().window().endNanos()))
                .toList();
        return meanwhile.isEmpty()
                ? Finding.of(true, description, figures)
                : Finding.slow(meanwhile, description, figures);
    }

    private static Stream<Use> inControl(DrillHistory history, Timeline timeline, Subject subject) {
        return WindowBound.all(history, timeline, subject).stream()
                .filter(bound -> timeline.phases().stream()
                        .anyMatch(span -> span.phase() == Phase.CONTROL
                                && span.covers(
                                        bound.window().startNanos(),
                                        bound.window().endNanos(),
                                        subject.window().toNanos() / SLACK)))
                .map(bound -> new Use(subject, bound));
    }
}
