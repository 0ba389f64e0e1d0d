package io.meridian.chaos.drill.file;

import io.meridian.chaos.drill.history.Subject.Sharing;
import java.time.Duration;

/**
 * One policy that a drill makes and loads.
 *
 * @param demand how often its limit is asked for in a window: by all regions together, or by each where it is regional
 */
public record PolicyPlan(Sharing sharing, long limit, double demand) {
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
    }

    /**
     * Unless the file says otherwise. A converging limit is asked for more than once in each of five regions, so that each
     * part of a cut world can use it up.
     */
    public static PolicyPlan usual(Sharing sharing) {
        return switch (sharing) {
            case ESCROW -> new PolicyPlan(sharing, 100, 2);
            case CONVERGE -> new PolicyPlan(sharing, 50, 6);
            case REGIONAL -> new PolicyPlan(sharing, 20, 1.5);
        };
    }

    public double perSecondAndRegion(Duration window, int regions) {
        double perSecond = demand * limit * 1000 / window.toMillis();
        return sharing == Sharing.REGIONAL ? perSecond : perSecond / regions;
    }

    PolicyPlan times(double factor) {
        return new PolicyPlan(sharing, Math.max(1, Math.round(limit * factor)), demand);
    }
}
