package io.meridian.model.usage;

import java.util.Comparator;

/** One life of a region's Redis data. After a restart the region counts from zero, as another life. */
public record RegionIncarnation(String region, long incarnation) implements Comparable<RegionIncarnation> {
    private static final Comparator<RegionIncarnation> ORDER =
            Comparator.comparing(RegionIncarnation::region).thenComparingLong(RegionIncarnation::incarnation);

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
