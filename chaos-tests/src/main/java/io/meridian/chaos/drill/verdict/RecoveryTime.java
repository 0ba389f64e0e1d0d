package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.History;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** After each fault every region decides with its Redis again, and after one of a leader, meant or not, each partition is led again. */
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
        List<String> broken = recoveries.stream()
                .flatMap(recovery -> recovery.broken(recoverWithin, takeoverWithin).stream())
                .collect(Collectors.toList());
        if (!leaderless.isEmpty()) {
            broken.add("nobody leads partitions " + leaderless + " in the end");
        }
        if (!broken.isEmpty()) {
            return new Finding(State.VIOLATED, String.join("; ", broken) + ".", figures(recoveries));
        }
        List<String> unseen = recoveries.stream()
                .flatMap(recovery -> recovery.unseen().stream())
                .toList();
        return unseen.isEmpty()
                ? new Finding(State.VALID, words(recoveries), figures(recoveries))
                : new Finding(State.UNKNOWN, String.join("; ", unseen) + ".", figures(recoveries));
    }

    private static String words(List<Recovery> recoveries) {
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
