package io.meridian.limiter.decide;

import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.match.Limit;

/** Port to the floors of the region: shares of limits in escrow that it may spend without a grant. */
public interface Floors {
    /** The region has none: every unit of a limit in escrow waits for a grant. */
    Floors NONE = (limit, life) -> FloorOffer.NONE;

    /** The floor of a limit in escrow, in one incarnation of the region's data. */
    FloorOffer offer(Limit limit, long life);
}
