package io.meridian.model.counter;

import io.meridian.model.match.Limit;

/** What an instance asks of one counter of its region. The asks of one check form a group, which is answered as one. */
public sealed interface CounterRequest {
    Limit limit();

    /**
     * Takes {@code cost} if all takes of the group fit, and then up to {@code ahead} to be spent within the horizon.
     *
     * @param asked what this instance was asked for since it last said so, this take and refused ones included: by it grants
     *     move
     * @param overdraft what may be taken beyond the region's grant, because the region is cut off; {@link #LOCAL} for up to
     *     the limit
     */
    record Take(Limit limit, long cost, long ahead, long horizonMicros, long asked, long overdraft) implements CounterRequest {
        /** The overdraft of a region that goes on as if the limit were its own. */
        public static final long LOCAL = -1;

        public Take(Limit limit, long cost, long ahead, long horizonMicros) {
            this(limit, cost, ahead, horizonMicros, cost, 0);
        }
    }

    /** Asks what {@code cost}, at least 1, would get, and takes nothing. */
    record Peek(Limit limit, long cost) implements CounterRequest {}

    /** Gives back what was taken at {@code takenMicros}: an unspent lease, a refund. */
    record GiveBack(Limit limit, long cost, long takenMicros) implements CounterRequest {}

    /**
     * Takes as much of {@code cost} as fits: what was admitted without asking. Of a limit that regions share all of it, in the
     * window in which it was admitted, so that the world's total is what was admitted.
     */
    record Settle(Limit limit, long cost, long takenMicros) implements CounterRequest {}

    /** Forgets all that was taken. */
    record Reset(Limit limit) implements CounterRequest {}
}
