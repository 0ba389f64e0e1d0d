package io.meridian.chaos.drill.file;

import io.meridian.chaos.drill.history.Subject.Sharing;
import java.time.Duration;

/**
 * One policy that a drill makes and loads.
 *
 * @param demand how often its limit is asked for in a window: by all regions together, or by each where it is regional. Where the first
 *     region asks alone, it asks for so much, and all others together for as much again
 */
public record PolicyPlan(Sharing sharing, long limit, double demand, Arrival arrival) {
    private static final long LIMIT_MAX = 1_000_000;
    private static final double DEMAND_MAX = 20;

    public PolicyPlan {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
        if (!(demand > 0 && demand <= DEMAND_MAX)) {
            throw new IllegalArgumentException(
                    "demand must be above 0, at most %.0f, got %s".formatted(DEMAND_MAX, demand));
        }
        if (arrival == Arrival.FIRST_REGION && demand < 1) {
            throw new IllegalArgumentException(
                    "demand must be at least 1 for arrival %s, so that a region alone uses the limit up, got %s"
                            .formatted(arrival.word(), demand));
        }
    }

    /**
     * Unless the file says otherwise. A converging limit is asked for more than once in each of five regions, so that each
     * part of a cut world can use it up.
     */
    public static PolicyPlan usual(Sharing sharing) {
        return switch (sharing) {
            case ESCROW -> new PolicyPlan(sharing, 100, 2, Arrival.EVEN);
            case CONVERGE -> new PolicyPlan(sharing, 50, 6, Arrival.EVEN);
            case REGIONAL -> new PolicyPlan(sharing, 20, 1.5, Arrival.EVEN);
        };
    }

    /** Checks in a window of a region that asks with so many others. */
    private double checksAmong(int regions) {
        return demand * limit / (sharing == Sharing.REGIONAL ? 1 : regions);
    }

    /** Rate of an even load. */
    public double perSecondAndRegion(Duration window, int regions) {
        return checksAmong(regions) * 1000 / window.toMillis();
    }

    /** Checks of each region in a window if all ask at once. */
    public long burst(int regions) {
        return (long) Math.ceil(checksAmong(regions));
    }

    /** Checks in a window of the region that asks first. */
    public long first() {
        return burst(1);
    }

    /** Checks in a window of each region that asks after the first. */
    public long later(int regions) {
        return burst(Math.max(1, regions - 1));
    }

    /** Checks of all regions in a window. */
    double checks(int regions) {
        return switch (arrival) {
            case EVEN -> regions * checksAmong(regions);
            case FIRST_REGION -> first() + (regions - 1.0) * later(regions);
            case BURST -> (double) regions * burst(regions);
        };
    }

    /** Checks of all regions that are sent at the same time. */
    long atOnce(int regions) {
        return arrival == Arrival.BURST ? regions * burst(regions) : 0;
    }

    PolicyPlan times(double factor) {
        return new PolicyPlan(sharing, Math.max(1, Math.round(limit * factor)), demand, arrival);
    }
}
