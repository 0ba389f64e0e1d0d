package io.meridian.model.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.Sharing;
import java.util.List;

/** An escrow account that cannot be: its region spent or gave back more than its grants and its floor. */
public record Anomaly(LimitWindow limit, RegionLife life, long granted, long returned, long spent) {
    static List<Anomaly> in(Entry entry, Lives lives) {
        if (entry.rule.sharing() != Sharing.ESCROW) {
            return List.of();
        }
        return entry.rows.stream()
                .filter(row -> row.account().isImpossible())
                .map(row -> new Anomaly(
                        entry.limit, lives.life(row.life), row.account().granted(), row.grantReturned, row.net()))
                .toList();
    }
}
