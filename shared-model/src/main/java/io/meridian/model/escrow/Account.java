package io.meridian.model.escrow;

/**
 * What one life of a region was granted of a window, and what the leader has heard of it. All fields only grow:
 * {@code granted} is the leader's word, {@code returned} and {@code spent} the region's.
 */
public record Account(long granted, long returned, long spent) {
    public static final Account EMPTY = new Account(0, 0, 0);

    public Account {
        if (granted < 0 || returned < 0 || spent < 0) {
            throw new IllegalArgumentException("an account must not be negative, got granted " + granted + ", returned "
                    + returned + ", spent " + spent);
        }
    }

    /** What counts against the limit: all that was granted and not given back, spent or not. */
    public long outstanding() {
        return granted - returned;
    }

    /** What the region may still spend, as far as the leader has heard. */
    public long unspent() {
        return Math.max(0, granted - returned - spent);
    }

    Account grant(long amount) {
        return new Account(granted + amount, returned, spent);
    }

    /** Believes a return only up to what was granted: more cannot have been held. */
    Account report(long reportedReturned, long reportedSpent) {
        long believed = Math.min(reportedReturned, granted);
        return new Account(granted, Math.max(returned, believed), Math.max(spent, reportedSpent));
    }

    Account merge(Account other) {
        return new Account(
                Math.max(granted, other.granted), Math.max(returned, other.returned), Math.max(spent, other.spent));
    }
}
