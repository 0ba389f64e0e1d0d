package io.meridian.model.usage;

import java.util.Comparator;

/** One life of a region's Redis data. After a restart the region counts from zero, as another life. */
public record RegionLife(String region, long incarnation) implements Comparable<RegionLife> {
    private static final Comparator<RegionLife> ORDER =
            Comparator.comparing(RegionLife::region).thenComparingLong(RegionLife::incarnation);

    public RegionLife {
        if (region.isEmpty()) {
            throw new IllegalArgumentException("region must not be empty");
        }
    }

    @Override
    public int compareTo(RegionLife other) {
        return ORDER.compare(this, other);
    }
}
