package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.LeaderSeen;
import io.meridian.chaos.drill.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

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

    /**
     * How long the slowest partition took to have another leader; -1 if of none anything was seen then. If the words of a fault name
     * who led some, these count, the whole span for each that nobody else came to lead: others may change hands in the rebalance that
     * follows, and need not.
     */
    long takeoverNanos(long fromNanos, long toNanos, String words) {
        boolean named = byPartition.values().stream().anyMatch(seen -> isNamed(leaderAt(seen, fromNanos), words));
        long slowest = -1;
        long never = -1;
        boolean changed = false;
        for (List<LeaderSeen> seen : byPartition.values()) {
            String before = leaderAt(seen, fromNanos);
            if (named && !isNamed(before, words)) {
                continue;
            }
            List<LeaderSeen> after = seen.stream()
                    .filter(lead -> lead.atNanos() > fromNanos && lead.atNanos() <= toNanos)
                    .toList();
            changed |= !after.isEmpty();
            OptionalLong taken = after.stream()
                    .filter(lead -> !lead.leader().isEmpty() && !lead.leader().equals(before))
                    .mapToLong(LeaderSeen::atNanos)
                    .min();
            if (taken.isPresent()) {
                slowest = Math.max(slowest, taken.getAsLong() - fromNanos);
            } else if (named) {
                never = toNanos - fromNanos;
            }
        }
        return changed ? Math.max(slowest, never) : -1;
    }

    private static boolean isNamed(String leader, String words) {
        return !leader.isEmpty() && words.contains(leader);
    }

    private static String leaderAt(List<LeaderSeen> seen, long nanos) {
        return seen.stream()
                .filter(lead -> lead.atNanos() <= nanos)
                .reduce((earlier, later) -> later)
                .map(LeaderSeen::leader)
                .orElse("");
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
