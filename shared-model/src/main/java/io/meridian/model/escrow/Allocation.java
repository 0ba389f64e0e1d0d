package io.meridian.model.escrow;

import io.meridian.model.usage.RegionLife;
import java.util.Map;

/**
 * What the leader decided in one tick.
 *
 * @param ledger the book with the new grants
 * @param keep for regions that hold what others need: how much of what is unspent each may keep. Only the region's own
 *     return frees it; a recall that is lost or late costs time, never budget
 */
public record Allocation(GrantLedger ledger, Map<RegionLife, Long> keep) {
    public Allocation {
        keep = Map.copyOf(keep);
    }
}
