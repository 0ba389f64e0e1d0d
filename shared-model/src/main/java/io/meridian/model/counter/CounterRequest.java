package io.meridian.model.counter;

import io.meridian.model.match.Limit;

/** Request of an instance to one counter of its region. The requests of one check form a group, which is decided as one. */
public sealed interface CounterRequest {
    Limit limit();

    /**
     * Takes {@code cost} if all takes of the group fit, and then up to {@code ahead} to be spent within the horizon.
     *
     * @param requested demand at this instance since its last request, this take and refused ones included: grants follow it
     * @param overdraft what may be taken beyond the region's grant, because the region is cut off; {@link #LOCAL} for up to
     *     the limit
     */
    record Take(Limit limit, long cost, long ahead, long horizonMicros, long requested, long overdraft)
            implements CounterRequest {
        /** The overdraft of a region that goes on as if the limit were its own. */
        public static final long LOCAL = -1;

        public Take(Limit limit, long cost, long ahead, long horizonMicros) {
            this(limit, cost, ahead, horizonMicros, cost, 0);
        }
    }

    /** Evaluates {@code cost}, at least 1, and takes nothing. */
    record Peek(Limit limit, long cost) implements CounterRequest {}

    /** Gives back what was taken at {@code takenMicros}: an unspent lease, a refund. */
    record Refund(Limit limit, long cost, long takenMicros) implements CounterRequest {}

    /**
     * Takes as much of {@code cost} as fits: what was admitted without the region. Of a global limit all of it, in the
     * window in which it was admitted, so that the total over all regions is what was admitted.
     */
    record Charge(Limit limit, long cost, long takenMicros) implements CounterRequest {}

    /** Forgets all that was taken. */
    record Reset(Limit limit) implements CounterRequest {}
}
