package io.meridian.chaos.global;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What happened in one window of one limit, from outside.
 *
 * <p>The limit L is crossed when the client has received the L-th allowed answer, from whatever region. A region's flag delay
 * is the time from then to the latest sending of a request that it still allowed, 0 if there is none after the crossing: what
 * was sent before and answered after could not be known to be too much.
 */
final class Admitted {
    private final List<Answered> all;
    private final List<Answered> allowed;

    Admitted(List<Answered> ofOneWindow) {
        all = List.copyOf(ofOneWindow);
        allowed = all.stream()
                .filter(Answered::allowed)
                .sorted(comparingLong(Answered::answeredNanos))
                .toList();
    }

    long total() {
        return allowed.size();
    }

    long asked() {
        return all.size();
    }

    /** Regions that admitted nothing are not in it. */
    Map<String, Long> byRegion() {
        return allowed.stream().collect(groupingBy(Answered::region, TreeMap::new, counting()));
    }

    long of(String region) {
        return byRegion().getOrDefault(region, 0L);
    }

    /** How many answers were given without Redis, of which no counter knows for sure. */
    long degraded() {
        return all.stream().filter(answered -> answered.answer().degraded()).count();
    }

    /** When the world had used the limit up. */
    OptionalLong crossedNanos(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be positive, got " + limit);
        }
        return allowed.size() < limit
                ? OptionalLong.empty()
                : OptionalLong.of(allowed.get((int) limit - 1).answeredNanos());
    }

    /** Empty as long as the limit was not crossed. */
    OptionalLong flagDelayNanos(String region, long limit) {
        OptionalLong crossed = crossedNanos(limit);
        if (crossed.isEmpty()) {
            return crossed;
        }
        return OptionalLong.of(allowed.stream()
                .filter(answered -> answered.region().equals(region))
                .mapToLong(answered -> Math.max(0, answered.sentNanos() - crossed.getAsLong()))
                .max()
                .orElse(0));
    }

    /** The answer to what a region was asked first in this window. */
    Optional<Answered> first(String region) {
        return all.stream()
                .filter(answered -> answered.region().equals(region))
                .min(comparingLong(Answered::sentNanos));
    }
}
