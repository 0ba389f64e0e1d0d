package io.meridian.model.aggregate;

/**
 * What regions hold of granted limits in windows that are open, and what they spent of it.
 *
 * @param granted less what was given back; what a lost life of a region held stays granted
 */
public record GrantTotals(long granted, long spent) {
    public static final GrantTotals NONE = new GrantTotals(0, 0);

    public GrantTotals plus(GrantTotals other) {
        return new GrantTotals(granted + other.granted, spent + other.spent);
    }
}
