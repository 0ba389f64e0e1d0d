package io.meridian.model.aggregate;

import io.meridian.model.usage.Sharing;

/** Adds grants up along with the sweeping of the table, which looks at every entry anyway: as of its last whole round. */
final class GrantCount {
    private long granted;
    private long spent;
    private GrantTotals whole = GrantTotals.NONE;

    void look(Entry entry, long nowMicros) {
        boolean open = entry.limit.startMicros() <= nowMicros && nowMicros < entry.endMicros();
        if (!open || entry.rule.sharing() != Sharing.ESCROW) {
            return;
        }
        for (Row row : entry.rows) {
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
