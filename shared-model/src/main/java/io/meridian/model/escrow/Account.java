package io.meridian.model.escrow;

import io.meridian.model.usage.UsageCount;

/**
 * Account of one incarnation of a region in one window: grants, its floor included, and the usage it has reported. Grants are the leader's word,
 * {@code returned} and {@code usage} the region's, and all of these only grow.
 *
 * @param returned what of its grants the region has given back
 * @param usage what the region took of its grants, and what of that was refunded
 */
public record Account(long granted, long returned, UsageCount usage) {
    public static final Account EMPTY = new Account(0, 0, UsageCount.ZERO);

    public Account {
        if (granted < 0 || returned < 0) {
            throw new IllegalArgumentException(
                    "an account must not be negative, got granted " + granted + ", returned " + returned);
        }
    }

    /**
     * What counts against the limit: all that was granted and not given back, spent or not, and what was spent beyond it by a
     * region that may overdraw.
     */
    public long outstanding() {
        return Math.max(Math.max(0, granted - returned), spent());
    }

    public long spent() {
        return usage.net();
    }

    /** What the region may still spend, as far as the leader has heard. */
    public long unspent() {
        return Math.max(0, granted - returned - spent());
    }

    /** Whether the region spent or gave back more than it had. */
    public boolean isImpossible() {
        return returned > granted || spent() > granted - returned;
    }

    /** Whether the region gave back more than this ledger knows it was granted: then grants are missing from it. */
    boolean isBehind() {
        return returned > granted;
    }

    Account merge(Account other) {
        return new Account(
                Math.max(granted, other.granted), Math.max(returned, other.returned), usage.merge(other.usage));
    }
}
