package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;

/**
 * What the current life of a region asks for.
 *
 * @param unitsPerSecond how fast, refused requests included
 * @param refusedCost the largest cost it lately had to refuse for want of a grant; 0 for none. However seldom such a
 *     request comes, it needs a grant of its size
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
