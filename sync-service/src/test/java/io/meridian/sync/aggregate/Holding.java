package io.meridian.sync.aggregate;

import io.meridian.model.usage.UsageCount;
import io.meridian.sync.aggregate.GrantLedger.Account;

/**
 * Grant of one incarnation of a region for one window: the region's side of its {@link Account}, immutable.
 *
 * <p>Invariant: {@code spent <= granted - returned}. To give back, the region lowers its own line first and reports
 * after, so that no unit is ever both spendable here and free there.
 */
public record Holding(long granted, long returned, UsageCount usage) {
    public static final Holding NONE = new Holding(0, 0, UsageCount.ZERO);

    public Holding {
        if (returned < 0 || usage.net() > granted - returned) {
            throw new IllegalArgumentException("spent must be at most granted less returned, got granted " + granted
                    + ", returned " + returned + ", spent " + usage.net());
        }
    }

    public long spent() {
        return usage.net();
    }

    public long available() {
        return granted - returned - spent();
    }

    /** Spends {@code cost}; the caller has seen that it is available. */
    public Holding spend(long cost) {
        if (cost < 0 || cost > available()) {
            throw new IllegalArgumentException("cost must be from 0 to the available " + available() + ", got " + cost);
        }
        return new Holding(granted, returned, new UsageCount(usage.taken() + cost, usage.returned()));
    }

    /** Makes up to {@code cost} of what was spent available again. */
    public Holding refund(long cost) {
        long given = Math.max(0, Math.min(cost, spent()));
        return new Holding(granted, returned, new UsageCount(usage.taken(), usage.returned() + given));
    }

    /** Takes a verdict's grant: a later one counts, an earlier or repeated one changes nothing. */
    public Holding granted(long verdictGranted) {
        return new Holding(Math.max(granted, verdictGranted), returned, usage);
    }

    /** Gives back all but {@code keep} of what is not spent. */
    public Holding giveBackAllBut(long keep) {
        return new Holding(granted, returned + Math.max(0, available() - Math.max(0, keep)), usage);
    }
}
