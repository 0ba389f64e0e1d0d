package io.meridian.model.usage;

import java.util.Comparator;

/**
 * One incarnation of a region's data in Redis. After a loss of the data the region counts from zero, in another incarnation.
 *
 * @param number the time at which the data began, in microseconds: later incarnations have higher numbers
 */
public record RegionIncarnation(String region, long number) implements Comparable<RegionIncarnation> {
    private static final Comparator<RegionIncarnation> ORDER =
            Comparator.comparing(RegionIncarnation::region).thenComparingLong(RegionIncarnation::number);

    public RegionIncarnation {
        if (region.isEmpty()) {
            throw new IllegalArgumentException("region must not be empty");
        }
    }

    @Override
    public int compareTo(RegionIncarnation other) {
        return ORDER.compare(this, other);
    }
}
