package io.meridian.chaos.drill.verdict;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.History;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** When regions decided all checks, with their Redis: for a second on end, because a single answer shows little. */
final class Steady {
    private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, List<Checked>> byRegion;

    Steady(History history) {
        byRegion = history.of(Checked.class).stream()
                .sorted(Comparator.comparingLong(Checked::atNanos))
                .collect(Collectors.groupingBy(Checked::region));
    }

    /** From when the region was steady, at or after that time; empty if it was not seen to be, for the whole stretch. */
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

    /** The last answer sent in that time that was no decision, or one without Redis; empty if there is none. */
    OptionalLong lastBad(String region, long fromNanos, long toNanos) {
        return byRegion.getOrDefault(region, List.of()).stream()
                .filter(checked -> checked.atNanos() >= fromNanos && checked.atNanos() <= toNanos)
                .filter(Steady::isBad)
                .mapToLong(Checked::atNanos)
                .max();
    }

    boolean isEmpty() {
        return byRegion.isEmpty();
    }

    /** Whether the region was asked at or after that time. */
    boolean isAsked(String region, long fromNanos) {
        return byRegion.getOrDefault(region, List.of()).stream().anyMatch(checked -> checked.atNanos() >= fromNanos);
    }

    private static boolean isBad(Checked checked) {
        return checked.degraded() || checked.outcome() == Outcome.FAILED;
    }
}
