package io.meridian.model.share;

/**
 * What a region is told of one limit in one window.
 *
 * @param version the version of the policy the flag speaks of
 * @param limit the limit the flag speaks of: a higher one is not reached
 * @param granted all that was ever granted to this life of the region
 * @param keep what of its grants it may keep unspent
 */
public record Verdict(
        long epoch, long sequence, long elsewhere, boolean blocked, long version, long limit, long granted, long keep) {
    static final long KEEP_ALL = Long.MAX_VALUE;

    /** Before anybody has said anything. */
    static final Verdict NONE = new Verdict(0, 0, 0, false, 0, 0, 0, KEEP_ALL);

    /** Whether this was said after {@code other}. */
    boolean isNewerThan(Verdict other) {
        return epoch > other.epoch || (epoch == other.epoch && sequence > other.sequence);
    }
}
