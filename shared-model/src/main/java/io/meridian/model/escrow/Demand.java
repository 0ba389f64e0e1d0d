package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;

/** How fast the current life of a region asks for a limit, refused requests included. */
public record Demand(RegionLife life, long unitsPerSecond) {
    public Demand {
        if (unitsPerSecond < 0) {
            throw new IllegalArgumentException("unitsPerSecond must not be negative, got " + unitsPerSecond);
        }
    }
}
