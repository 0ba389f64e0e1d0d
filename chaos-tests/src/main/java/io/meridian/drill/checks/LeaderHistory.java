package io.meridian.drill.checks;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.LeaderObserved;
import io.meridian.drill.history.FaultSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Leaders of each partition over time, by the recorded changes. */
final class LeaderHistory {
    private final Map<Integer, List<LeaderObserved>> byPartition = new TreeMap<>();

    LeaderHistory(DrillHistory history) {
        history.of(LeaderObserved.class).stream()
                .sorted(Comparator.comparingLong(LeaderObserved::atNanos))
                .forEach(seen -> byPartition
                        .computeIfAbsent(seen.partition(), partition -> new ArrayList<>())
                        .add(seen));
    }

    /** Whether a fault targets a replica that led a partition at its begin. */
    boolean isLost(FaultSpan fault) {
        return byPartition.values().stream().anyMatch(seen -> isLost(seen, fault));
    }

    private static boolean isLost(List<LeaderObserved> seen, FaultSpan fault) {
        String leader = leaderAt(seen, fault.fromNanos());
        return !leader.isEmpty() && fault.isOfPart(leader);
    }

    /**
     * Time from which another replica could lead in place of the one that a fault takes away: the begin of the fault, or, if no replica was
     * left, the return of the first of them.
     */
    long replaceableNanos(FaultSpan fault, List<FaultSpan> faults, Duration takeoverWithin) {
        long toNanos = fault.fromNanos() + takeoverWithin.toNanos();
        Set<String> replicas = byPartition.values().stream()
                .flatMap(List::stream)
                .map(LeaderObserved::leader)
                .filter(leader -> !leader.isEmpty())
                .collect(Collectors.toSet());
        List<FaultSpan> away = faults.stream()
                .filter(each -> each.overlaps(fault.fromNanos(), toNanos))
                .filter(each -> replicas.stream().anyMatch(each::isOfPart))
                .toList();
        boolean anyLeft =
                replicas.stream().anyMatch(replica -> away.stream().noneMatch(each -> each.isOfPart(replica)));
        return anyLeft || away.isEmpty()
                ? fault.fromNanos()
                : away.stream().mapToLong(FaultSpan::toNanos).min().orElseThrow();
    }

    /**
     * Time from the given time until the last partition had a leader again; -1 if no change of a leader was recorded. If the replica led
     * partitions, only these count, and each that got no leader again counts with the whole time. Others may change their leader in the
     * rebalance, but need not.
     */
    long takeoverNanos(FaultSpan fault, long sinceNanos, long toNanos) {
        boolean named = isLost(fault);
        long slowest = -1;
        long never = -1;
        boolean changed = false;
        for (List<LeaderObserved> seen : byPartition.values()) {
            if (named && !isLost(seen, fault)) {
                continue;
            }
            List<LeaderObserved> after = seen.stream()
                    .filter(lead -> lead.atNanos() > fault.fromNanos() && lead.atNanos() <= toNanos)
                    .toList();
            changed |= !after.isEmpty();
            LeaderObserved before = at(seen, fault.fromNanos());
            OptionalLong led = after.stream()
                    .filter(lead -> isAnew(lead, before, fault))
                    .mapToLong(LeaderObserved::atNanos)
                    .min();
            if (led.isPresent()) {
                slowest = Math.max(slowest, Math.max(0, led.getAsLong() - sinceNanos));
            } else if (named && !after.isEmpty()) {
                never = toNanos - sinceNanos;
            }
        }
        return changed ? Math.max(slowest, never) : -1;
    }

    /** Whether a record shows a takeover: another leader, a later epoch, or the same leader after its return, which a short pause need not end. */
    private static boolean isAnew(LeaderObserved lead, @Nullable LeaderObserved before, FaultSpan fault) {
        return !lead.leader().isEmpty()
                && (before == null
                        || !lead.leader().equals(before.leader())
                        || lead.epoch() > before.epoch()
                        || lead.atNanos() >= fault.toNanos());
    }

    private static @Nullable LeaderObserved at(List<LeaderObserved> seen, long nanos) {
        return seen.stream()
                .filter(lead -> lead.atNanos() <= nanos)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    private static String leaderAt(List<LeaderObserved> seen, long nanos) {
        LeaderObserved last = at(seen, nanos);
        return last == null ? "" : last.leader();
    }

    /** The partitions without a leader in the end. */
    List<Integer> leaderless() {
        return byPartition.entrySet().stream()
                .filter(entry -> entry.getValue()
                        .get(entry.getValue().size() - 1)
                        .leader()
                        .isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }
}
