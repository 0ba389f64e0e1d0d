package io.meridian.model.usage;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Usage of one (policy, key, window) by all regions: a count per region and incarnation, immutable. Merging is commutative,
 * associative and idempotent, so replay, duplicates, reordering and loss change nothing that a later message does not
 * mend.
 */
public record Usage(Map<RegionIncarnation, UsageCount> counts) {
    public static final Usage NONE = new Usage(Map.of());

    public Usage {
        counts = Collections.unmodifiableMap(new TreeMap<>(counts));
    }

    public Usage merge(RegionIncarnation incarnation, UsageCount count) {
        Map<RegionIncarnation, UsageCount> merged = new TreeMap<>(counts);
        merged.merge(incarnation, count, UsageCount::merge);
        return new Usage(merged);
    }

    public Usage merge(Usage other) {
        Map<RegionIncarnation, UsageCount> merged = new TreeMap<>(counts);
        other.counts.forEach((incarnation, count) -> merged.merge(incarnation, count, UsageCount::merge));
        return new Usage(merged);
    }

    public long total() {
        return counts.values().stream().mapToLong(UsageCount::net).sum();
    }

    /** Usage of all incarnations of one region. */
    public long of(String region) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().region().equals(region))
                .mapToLong(entry -> entry.getValue().net())
                .sum();
    }

    /** Usage of all other regions. */
    public long usedElsewhere(String region) {
        return total() - of(region);
    }
}
