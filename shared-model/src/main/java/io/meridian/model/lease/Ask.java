package io.meridian.model.lease;

import io.meridian.model.match.Limit;

/** What an instance asks of one counter of its region. The asks of one check form a group, which is answered as one. */
public sealed interface Ask {
    Limit limit();

    /** Takes {@code cost} if all takes of the group fit, and then up to {@code ahead} to be spent within the horizon. */
    record Take(Limit limit, long cost, long ahead, long horizonMicros) implements Ask {}

    /** Asks what {@code cost}, at least 1, would get, and takes nothing. */
    record Peek(Limit limit, long cost) implements Ask {}

    /** Gives back what was taken at {@code takenMicros}: an unspent lease, a refund. */
    record GiveBack(Limit limit, long cost, long takenMicros) implements Ask {}

    /** Takes as much of {@code cost} as fits: what was admitted without asking. */
    record Settle(Limit limit, long cost) implements Ask {}

    /** Forgets all that was taken. */
    record Reset(Limit limit) implements Ask {}
}
