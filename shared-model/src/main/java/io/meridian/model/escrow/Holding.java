package io.meridian.model.escrow;

/**
 * What one life of a region holds of a window: the region's own side of its {@link Account}, immutable.
 *
 * <p>Invariant: {@code spent <= granted - returned}. To give back, the region lowers its own line first and reports
 * after, so that no unit is ever both spendable here and free there.
 */
public record Holding(long granted, long returned, long spent) {
    public static final Holding NONE = new Holding(0, 0, 0);

    public Holding {
        if (returned < 0 || spent < 0 || spent > granted - returned) {
            throw new IllegalArgumentException("spent must be from 0 to granted less returned, got granted " + granted
                    + ", returned " + returned + ", spent " + spent);
        }
    }

    public long available() {
        return granted - returned - spent;
    }

    /** Spends {@code cost}; the caller has seen that it is available. */
    public Holding spend(long cost) {
        if (cost < 0 || cost > available()) {
            throw new IllegalArgumentException("cost must be from 0 to the available " + available() + ", got " + cost);
        }
        return new Holding(granted, returned, spent + cost);
    }

    /** Takes a verdict: a later grant counts, an earlier one does not, and what is recalled and not spent goes back. */
    public Holding apply(long verdictGranted, long verdictRecalled) {
        long known = Math.max(granted, verdictGranted);
        long unspent = known - returned - spent;
        long back = Math.max(0, Math.min(unspent, verdictRecalled - returned));
        return new Holding(known, returned + back, spent);
    }

    /** Gives back up to {@code amount} that is not needed here. */
    public Holding giveBack(long amount) {
        return new Holding(granted, returned + Math.max(0, Math.min(amount, available())), spent);
    }
}
