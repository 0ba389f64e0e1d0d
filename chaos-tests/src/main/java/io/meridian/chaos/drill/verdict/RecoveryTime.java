package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.verdict.Recovery.Broken;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * After each fault every region decides with its Redis again, and after one of a leader, meant or not, each partition is led again. A
 * check of time.
 */
record RecoveryTime(Duration recoverWithin, Duration takeoverWithin) implements Checker {
    @Override
    public String name() {
        return "recovery time";
    }

    @Override
    public Finding check(History history) {
        Timeline timeline = new Timeline(history);
        Steady steady = new Steady(history);
        if (timeline.faults().isEmpty()) {
            return Finding.unknown("No fault was seen.");
        }
        if (steady.isEmpty()) {
            return Finding.unknown("No check was sent.");
        }
        Leads leads = new Leads(history);
        List<Recovery> recoveries = timeline.faults().stream()
                .map(fault -> Recovery.of(fault, timeline, history.regions(), steady, leads, takeoverWithin))
                .toList();
        List<Integer> leaderless = leads.leaderless();
        List<Broken> broken = recoveries.stream()
                .flatMap(recovery -> recovery.broken(recoverWithin, takeoverWithin).stream())
                .collect(Collectors.toList());
        if (!leaderless.isEmpty()) {
            long healNanos = timeline.faults().stream()
                    .mapToLong(FaultSpan::toNanos)
                    .max()
                    .orElseThrow();
            broken.add(new Broken("nobody leads partitions " + leaderless + " in the end", healNanos, Long.MAX_VALUE));
        }
        if (!broken.isEmpty()) {
            return finding(broken, new Lateness(history), figures(recoveries));
        }
        List<String> unseen = recoveries.stream()
                .flatMap(recovery -> recovery.unseen().stream())
                .toList();
        return unseen.isEmpty()
                ? new Finding(State.VALID, held(recoveries), figures(recoveries))
                : new Finding(State.UNKNOWN, true, String.join("; ", unseen) + ".", figures(recoveries));
    }

    /** What is left if that which a starved machine explains is taken away; nothing is known if nothing is left. */
    private static Finding finding(List<Broken> broken, Lateness lateness, Map<String, Object> figures) {
        List<Broken> unexplained = broken.stream()
                .filter(each ->
                        !lateness.during(each.fromNanos(), each.toNanos()).starved())
                .toList();
        List<Broken> told = unexplained.isEmpty() ? broken : unexplained;
        List<Lateness.Spread> meanwhile = told.stream()
                .map(each -> lateness.during(each.fromNanos(), each.toNanos()))
                .toList();
        return Finding.slow(meanwhile, words(told), figures);
    }

    private static String words(List<Broken> broken) {
        return broken.stream().map(Broken::words).collect(Collectors.joining("; ")) + ".";
    }

    private static String held(List<Recovery> recoveries) {
        double slowest = recoveries.stream()
                .mapToDouble(recovery -> Seconds.of(recovery.fromEndNanos()))
                .max()
                .orElse(0);
        long takeover =
                recoveries.stream().mapToLong(Recovery::takeoverNanos).max().orElse(-1);
        return "Every region decided undegraded at most %.1f s after the end of a fault".formatted(slowest)
                + (takeover < 0 ? "." : "; partitions were led again after %.1f s.".formatted(Seconds.of(takeover)));
    }

    private static Map<String, Object> figures(List<Recovery> recoveries) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("faults", recoveries.stream().map(Recovery::figures).toList());
        return figures;
    }
}
