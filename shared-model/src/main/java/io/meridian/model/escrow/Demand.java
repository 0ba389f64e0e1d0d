package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;

/**
 * What the current life of a region asks for.
 *
 * @param unitsPerSecond how fast, refused requests included
 * @param refusedCost what it lately had to refuse for want of a grant, all of it together: checks wait for that much; 0 for none
 */
public record Demand(RegionLife life, long unitsPerSecond, long refusedCost) {
    public Demand {
        if (unitsPerSecond < 0) {
            throw new IllegalArgumentException("unitsPerSecond must not be negative, got " + unitsPerSecond);
        }
        if (refusedCost < 0) {
            throw new IllegalArgumentException("refusedCost must not be negative, got " + refusedCost);
        }
    }
}
