package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.history.Subject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * While all was well, limits were used up as far as they were asked for: all of them where demand was above, else all of the demand. Without
 * this, a limit that denies everything keeps every bound. A check of time: a limiter that has no core denies what it could not fetch in
 * time, also a burst of checks that wait for a grant.
 */
record LimitUsed() implements Checker {
    private static final double USED_MIN = 0.99;
    /** The part of a window that may be missing at an end of the phase. */
    private static final long SLACK = 20;

    private record Use(Subject subject, Bound bound) {
        double share() {
            return (double) bound.admitted() / due();
        }

        /** Demand, at most up to the limit. */
        private long due() {
            long asked = bound.region().isEmpty()
                    ? bound.window().asked()
                    : bound.window().asked(bound.region());
            return Math.min(asked, bound.limit());
        }

        /** But for one unit, which a limiter may hold when nobody asks it any more: of a small limit that is more. */
        boolean enough() {
            return bound.admitted() >= Math.min(USED_MIN * due(), (double) due() - 1);
        }
    }

    @Override
    public String name() {
        return "limit used";
    }

    @Override
    public Finding check(History history) {
        Timeline timeline = new Timeline(history);
        List<Use> uses = history.subjects().stream()
                .flatMap(subject -> inControl(history, timeline, subject))
                .toList();
        if (uses.isEmpty()) {
            return Finding.unknown("Nothing was asked for in a whole window of the control phase.");
        }
        Use least = uses.stream().min(Comparator.comparingDouble(Use::share)).orElseThrow();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("windows", uses.size());
        figures.put(
                "policies",
                uses.stream().map(use -> use.subject().policy()).distinct().toList());
        figures.put("least_percent", Math.round(10_000 * least.share()) / 100.0);
        figures.put("least_policy", least.subject().policy());
        String words =
                "While all was well, %s admitted %.1f %% of what its limit allows at the least, over %d whole windows (wanted %.0f %%, or all but a unit)."
                        .formatted(least.subject().policy(), 100 * least.share(), uses.size(), 100 * USED_MIN);
        Lateness lateness = new Lateness(history);
        List<Lateness.Spread> meanwhile = uses.stream()
                .filter(use -> !use.enough())
                .map(use -> lateness.during(
                        use.bound().window().startNanos(), use.bound().window().endNanos()))
                .toList();
        return meanwhile.isEmpty() ? Finding.of(true, words, figures) : Finding.slow(meanwhile, words, figures);
    }

    private static Stream<Use> inControl(History history, Timeline timeline, Subject subject) {
        return Bound.all(history, timeline, subject).stream()
                .filter(bound -> timeline.phases().stream()
                        .anyMatch(span -> span.phase() == Phase.CONTROL
                                && span.covers(
                                        bound.window().startNanos(),
                                        bound.window().endNanos(),
                                        subject.window().toNanos() / SLACK)))
                .map(bound -> new Use(subject, bound));
    }
}
