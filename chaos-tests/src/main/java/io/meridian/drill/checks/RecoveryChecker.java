package io.meridian.drill.checks;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.FaultSpan;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Checker of recovery: after each fault every region decides with its Redis again, and after the loss of a leader, intended or not, each
 * partition has a leader again. It is of time.
 */
record RecoveryChecker(Duration recoverWithin, Duration takeoverWithin) implements Checker {
    @Override
    public String name() {
        return "recovery time";
    }

    @Override
    public Finding check(DrillHistory history) {
        Timeline timeline = new Timeline(history);
        SteadyAnswers steady = new SteadyAnswers(history);
        if (timeline.faults().isEmpty()) {
            return Finding.unknown("No fault was recorded.");
        }
        if (steady.isEmpty()) {
            return Finding.unknown("No check was sent.");
        }
        LeaderHistory leads = new LeaderHistory(history);
        List<FaultRecovery> recoveries = timeline.faults().stream()
                .map(fault -> FaultRecovery.of(fault, timeline, history.regions(), steady, leads, takeoverWithin))
                .toList();
        List<Integer> leaderless = leads.leaderless();
        List<Deviation> broken = recoveries.stream()
                .flatMap(recovery -> recovery.broken(recoverWithin, takeoverWithin).stream())
                .collect(Collectors.toList());
        if (!leaderless.isEmpty()) {
            long healNanos = timeline.faults().stream()
                    .mapToLong(FaultSpan::toNanos)
                    .max()
                    .orElseThrow();
            broken.add(new Deviation(
                    "partitions " + leaderless + " have no leader in the end", healNanos, Long.MAX_VALUE));
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

    /** Finding by the violations that a starved machine does not explain; unknown if there are none. */
    private static Finding finding(List<Deviation> broken, Lateness lateness, Map<String, Object> figures) {
        List<Deviation> unexplained = broken.stream()
                .filter(each ->
                        !lateness.during(each.fromNanos(), each.toNanos()).starved())
                .toList();
        List<Deviation> shown = unexplained.isEmpty() ? broken : unexplained;
        List<Lateness.Spread> meanwhile = shown.stream()
                .map(each -> lateness.during(each.fromNanos(), each.toNanos()))
                .toList();
        return Finding.slow(meanwhile, description(shown), figures);
    }

    private static String description(List<Deviation> broken) {
        return broken.stream().map(Deviation::description).collect(Collectors.joining("; ")) + ".";
    }

    private static String held(List<FaultRecovery> recoveries) {
        double slowest = recoveries.stream()
                .mapToDouble(recovery -> Timeline.seconds(recovery.fromEndNanos()))
                .max()
                .orElse(0);
        long takeover = recoveries.stream()
                .mapToLong(FaultRecovery::takeoverNanos)
                .max()
                .orElse(-1);
        return "Every region decided undegraded at most %.1f s after the end of a fault".formatted(slowest)
                + (takeover < 0
                        ? "."
                        : "; partitions had a leader again after %.1f s.".formatted(Timeline.seconds(takeover)));
    }

    private static Map<String, Object> figures(List<FaultRecovery> recoveries) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("faults", recoveries.stream().map(FaultRecovery::figures).toList());
        return figures;
    }

    /** Violation, and the time in which it was measured. */
    private record Deviation(String description, long fromNanos, long toNanos) {}

    /**
     * Recovery from one fault.
     *
     * @param fromBeginNanos from its begin until regions were steady after the last bad answer during it; 0 without bad answers
     * @param fromEndNanos from its end until all regions were steady
     * @param replaceableNanos time from which another replica could lead in place of the lost one
     * @param takeoverNanos from then until each partition that lost its leader had one again; -1 if no leader was lost, or none changed
     * @param takeoverDue whether a change of leaders must have been recorded
     * @param never regions that did not become steady again
     * @param unchecked regions without checks after it, or with too few to decide
     */
    private record FaultRecovery(
            FaultSpan fault,
            long fromBeginNanos,
            long fromEndNanos,
            long replaceableNanos,
            long takeoverNanos,
            boolean takeoverDue,
            List<String> never,
            List<String> unchecked) {
        private static final int TAKEOVER_LOOK = 3;

        static FaultRecovery of(
                FaultSpan fault,
                Timeline timeline,
                List<String> regions,
                SteadyAnswers steady,
                LeaderHistory leads,
                Duration takeoverWithin) {
            long fromBegin = 0;
            long fromEnd = 0;
            List<String> never = new ArrayList<>();
            List<String> unchecked = new ArrayList<>();
            for (String region : regions) {
                if (!steady.isChecked(region, fault.toNanos())) {
                    unchecked.add(region);
                    continue;
                }
                OptionalLong since = steady.since(region, fault.toNanos());
                if (since.isEmpty()) {
                    boolean bad = steady.lastBad(region, fault.toNanos(), Long.MAX_VALUE)
                            .isPresent();
                    (bad ? never : unchecked).add(region);
                    continue;
                }
                boolean felt = steady.lastBad(region, fault.toNanos(), since.getAsLong())
                        .isPresent();
                fromEnd = Math.max(fromEnd, felt ? since.getAsLong() - fault.toNanos() : 0);
                OptionalLong bad = steady.lastBad(region, fault.fromNanos(), fault.toNanos());
                if (bad.isPresent()) {
                    long mended = steady.since(region, bad.getAsLong() + 1).orElse(fault.toNanos());
                    fromBegin = Math.max(fromBegin, mended - fault.fromNanos());
                }
            }
            boolean ofLeader = fault.isOfLeader() || leads.isLost(fault);
            long replaceable = leads.replaceableNanos(fault, timeline.faults(), takeoverWithin);
            long lookTo = Math.max(fault.toNanos(), replaceable + TAKEOVER_LOOK * takeoverWithin.toNanos());
            long takeover = ofLeader ? leads.takeoverNanos(fault, replaceable, lookTo) : -1;
            // A replica that returns before the takeover deadline may remain the leader.
            boolean away = fault.toNanos() - fault.fromNanos() > takeoverWithin.toNanos();
            boolean due = fault.isOfLeader() || (ofLeader && away);
            return new FaultRecovery(fault, fromBegin, fromEnd, replaceable, takeover, due, never, unchecked);
        }

        List<Deviation> broken(Duration recoverWithin, Duration takeoverWithin) {
            List<Deviation> broken = new ArrayList<>();
            if (!never.isEmpty()) {
                String description =
                        "after \"%s\" %s never decided undegraded again".formatted(fault.description(), never);
                broken.add(new Deviation(description, fault.toNanos(), Long.MAX_VALUE));
            }
            if (fromEndNanos > recoverWithin.toNanos()) {
                String description = "after \"%s\" it took %.1f s until every region decided undegraded, limit %.0f s"
                        .formatted(
                                fault.description(),
                                Timeline.seconds(fromEndNanos),
                                Timeline.seconds(recoverWithin.toNanos()));
                broken.add(new Deviation(description, fault.toNanos(), fault.toNanos() + fromEndNanos));
            }
            if (takeoverNanos > takeoverWithin.toNanos()) {
                String description = "after \"%s\" it took %.1f s until each partition had a leader again, limit %.1f s"
                        .formatted(
                                fault.description(),
                                Timeline.seconds(takeoverNanos),
                                Timeline.seconds(takeoverWithin.toNanos()));
                broken.add(new Deviation(description, replaceableNanos, replaceableNanos + takeoverNanos));
            }
            return broken;
        }

        /** Records that the judgement needs and the history does not have. */
        List<String> unseen() {
            List<String> unseen = new ArrayList<>();
            if (!fault.ended()) {
                unseen.add("\"%s\" never ended".formatted(fault.description()));
            } else if (!unchecked.isEmpty()) {
                unseen.add("after \"%s\" there were no checks, or too few, in %s"
                        .formatted(fault.description(), unchecked));
            }
            if (takeoverDue && takeoverNanos < 0) {
                unseen.add("after \"%s\" no change of a leader was recorded".formatted(fault.description()));
            }
            return unseen;
        }

        Map<String, Object> figures() {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("fault", fault.fault());
            figures.put("description", fault.description());
            figures.put("from_begin_seconds", Timeline.seconds(fromBeginNanos));
            figures.put("from_end_seconds", Timeline.seconds(fromEndNanos));
            if (takeoverNanos >= 0) {
                figures.put("takeover_seconds", Timeline.seconds(takeoverNanos));
            }
            return figures;
        }
    }

    /** Times at which regions decided all checks with their Redis, for a whole second, because a single answer proves little. */
    private static final class SteadyAnswers {
        private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final Map<String, List<Checked>> byRegion;

        SteadyAnswers(DrillHistory history) {
            byRegion = history.of(Checked.class).stream()
                    .sorted(Comparator.comparingLong(Checked::atNanos))
                    .collect(Collectors.groupingBy(Checked::region));
        }

        /** Begin of the first steady second of the region, at or after that time. */
        OptionalLong since(String region, long fromNanos) {
            long good = -1;
            for (Checked checked : byRegion.getOrDefault(region, List.of())) {
                if (checked.atNanos() < fromNanos) {
                    continue;
                }
                if (isBad(checked)) {
                    good = -1;
                } else if (good < 0) {
                    good = checked.atNanos();
                } else if (checked.atNanos() - good >= STRETCH_NANOS) {
                    return OptionalLong.of(good);
                }
            }
            return OptionalLong.empty();
        }

        /** Sending time of the last check in that time that failed, or was decided without Redis. */
        OptionalLong lastBad(String region, long fromNanos, long toNanos) {
            return byRegion.getOrDefault(region, List.of()).stream()
                    .filter(checked -> checked.atNanos() >= fromNanos && checked.atNanos() <= toNanos)
                    .filter(SteadyAnswers::isBad)
                    .mapToLong(Checked::atNanos)
                    .max();
        }

        boolean isEmpty() {
            return byRegion.isEmpty();
        }

        /** Whether the region received checks at or after that time. */
        boolean isChecked(String region, long fromNanos) {
            return byRegion.getOrDefault(region, List.of()).stream()
                    .anyMatch(checked -> checked.atNanos() >= fromNanos);
        }

        private static boolean isBad(Checked checked) {
            return checked.degraded() || checked.outcome() == Outcome.FAILED;
        }
    }
}
