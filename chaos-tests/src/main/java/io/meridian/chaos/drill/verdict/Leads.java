package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.LeaderSeen;
import io.meridian.chaos.drill.history.History;
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

/** Who led which partition, by what was seen. */
final class Leads {
    private final Map<Integer, List<LeaderSeen>> byPartition = new TreeMap<>();

    Leads(History history) {
        history.of(LeaderSeen.class).stream()
                .sorted(Comparator.comparingLong(LeaderSeen::atNanos))
                .forEach(seen -> byPartition
                        .computeIfAbsent(seen.partition(), partition -> new ArrayList<>())
                        .add(seen));
    }

    /** Whether a fault is of a replica that led when it began. */
    boolean isLost(FaultSpan fault) {
        return byPartition.values().stream().anyMatch(seen -> isLost(seen, fault));
    }

    private static boolean isLost(List<LeaderSeen> seen, FaultSpan fault) {
        String leader = leaderAt(seen, fault.fromNanos());
        return !leader.isEmpty() && fault.isOfPart(leader);
    }

    /**
     * Since when somebody could lead in place of the replica that a fault takes away: since its begin, or, if others were away
     * with it and nobody was left, since the first of them was back.
     */
    long replaceableNanos(FaultSpan fault, List<FaultSpan> faults, Duration takeoverWithin) {
        long toNanos = fault.fromNanos() + takeoverWithin.toNanos();
        Set<String> replicas = byPartition.values().stream()
                .flatMap(List::stream)
                .map(LeaderSeen::leader)
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
     * How long after the given time the slowest partition was led again; -1 if of none anything was seen then. If the fault is of a
     * replica that led some, these count, the whole time for each that was lost and not led again: others may change hands in the
     * rebalance that follows, and need not.
     */
    long takeoverNanos(FaultSpan fault, long sinceNanos, long toNanos) {
        boolean named = isLost(fault);
        long slowest = -1;
        long never = -1;
        boolean changed = false;
        for (List<LeaderSeen> seen : byPartition.values()) {
            if (named && !isLost(seen, fault)) {
                continue;
            }
            List<LeaderSeen> after = seen.stream()
                    .filter(lead -> lead.atNanos() > fault.fromNanos() && lead.atNanos() <= toNanos)
                    .toList();
            changed |= !after.isEmpty();
            LeaderSeen before = at(seen, fault.fromNanos());
            OptionalLong led = after.stream()
                    .filter(lead -> isAnew(lead, before, fault))
                    .mapToLong(LeaderSeen::atNanos)
                    .min();
            if (led.isPresent()) {
                slowest = Math.max(slowest, Math.max(0, led.getAsLong() - sinceNanos));
            } else if (named && !after.isEmpty()) {
                never = toNanos - sinceNanos;
            }
        }
        return changed ? Math.max(slowest, never) : -1;
    }

    /** Another leads, or the same one in a later epoch, or since it is back: one that stood still for a moment need not be replaced. */
    private static boolean isAnew(LeaderSeen lead, @Nullable LeaderSeen before, FaultSpan fault) {
        return !lead.leader().isEmpty()
                && (before == null
                        || !lead.leader().equals(before.leader())
                        || lead.epoch() > before.epoch()
                        || lead.atNanos() >= fault.toNanos());
    }

    private static @Nullable LeaderSeen at(List<LeaderSeen> seen, long nanos) {
        return seen.stream()
                .filter(lead -> lead.atNanos() <= nanos)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    private static String leaderAt(List<LeaderSeen> seen, long nanos) {
        LeaderSeen last = at(seen, nanos);
        return last == null ? "" : last.leader();
    }

    /** The partitions that nobody led when they were last seen. */
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
