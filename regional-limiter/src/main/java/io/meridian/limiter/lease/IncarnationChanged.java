package io.meridian.limiter.lease;

import io.meridian.model.lease.Lease;
import java.util.List;

/**
 * The region's counters were lost, or are no longer to be trusted, and count anew.
 *
 * @param before the number of the life that is over
 * @param life the number of the life that has begun
 * @param wiped whether all data is gone; else what is the region's own is still there
 * @param seen what the life before had counted of limits that regions share, as far as this instance heard of it
 */
public record IncarnationChanged(long before, long life, boolean wiped, List<Lease.Seen> seen) {}
