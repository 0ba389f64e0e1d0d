package io.meridian.sync.aggregate;

import io.meridian.model.usage.SharingMode;

/**
 * Grants of regions in open windows, and what they spent of them.
 *
 * @param granted less what was given back; what a lost incarnation of a region held stays granted
 */
public record GrantTotals(long granted, long spent) {
    public static final GrantTotals NONE = new GrantTotals(0, 0);

    public GrantTotals plus(GrantTotals other) {
        return new GrantTotals(granted + other.granted, spent + other.spent);
    }

    /** Sums grants up along with the sweeping of the table, which looks at every entry anyway: as of its last whole round. */
    static final class GrantCount {
        private long granted;
        private long spent;
        private GrantTotals whole = GrantTotals.NONE;

        void look(LimitEntry entry, long nowMicros) {
            boolean open = entry.limit.startMicros() <= nowMicros && nowMicros < entry.endMicros();
            if (!open || entry.rule.sharing() != SharingMode.ESCROW) {
                return;
            }
            for (RegionRow row : entry.rows) {
                granted += row.account().granted() - row.grantReturned;
                spent += row.net();
            }
        }

        void rounded() {
            whole = new GrantTotals(granted, spent);
            granted = 0;
            spent = 0;
        }

        GrantTotals whole() {
            return whole;
        }
    }
}
