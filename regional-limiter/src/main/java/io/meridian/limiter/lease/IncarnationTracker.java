package io.meridian.limiter.lease;

import io.meridian.model.lease.Lease;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Number of the incarnation of the region's data, as this instance knows it. A later one invalidates all leases: nothing that was
 * leased from the one before goes back.
 */
public final class IncarnationTracker {
    private static final long NONE = -1;

    private final LeaseTable leases;
    private final Consumer<IncarnationChanged> changed;
    private volatile long number = NONE;

    /** @param changed called when the region's data begins another incarnation, after all leases of the one before are invalid */
    public IncarnationTracker(LeaseTable leases, Consumer<IncarnationChanged> changed) {
        this.leases = leases;
        this.changed = changed;
    }

    /** Empty until the region has answered once. */
    public OptionalLong current() {
        long known = number;
        return known == NONE ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /**
     * Takes the incarnation that a server names. An earlier one than the known one is that of a server left behind, and ignored.
     *
     * @param wiped whether this incarnation began without data
     * @return whether another incarnation has begun since the last answer
     */
    public synchronized boolean learn(long incarnation, boolean wiped) {
        long before = number;
        if (incarnation <= before) {
            return false;
        }
        number = incarnation;
        if (before == NONE) {
            return false;
        }
        IncarnationChanged event = new IncarnationChanged(before, incarnation, wiped, leases.seen());
        leases.invalidateAll();
        changed.accept(event);
        return true;
    }

    /**
     * Event: the region's counters were lost, or are no longer to be trusted, and count anew.
     *
     * @param before the number of the incarnation that is over
     * @param incarnation the number of the one that has begun
     * @param wiped whether all data is gone; else counters of the region's own limits are still there
     * @param seen counts of global limits in the incarnation before, as far as this instance had received them
     */
    public record IncarnationChanged(long before, long incarnation, boolean wiped, List<Lease.Seen> seen) {}
}
