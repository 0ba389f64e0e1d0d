package io.meridian.sync.aggregate;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import java.util.List;
import java.util.Map;

/** Inconsistent escrow account: its region spent or gave back more than its grants and its floor. */
public record Anomaly(LimitWindow limit, RegionIncarnation incarnation, long granted, long returned, long spent) {
    /** @param floors of incarnations that have one, or may have decided on one without a report yet */
    static List<Anomaly> in(LimitEntry entry, Incarnations incarnations, Map<RegionIncarnation, Long> floors) {
        if (entry.rule.sharing() != SharingMode.ESCROW) {
            return List.of();
        }
        return entry.rows.stream()
                .filter(row -> row.account(floors.getOrDefault(incarnations.incarnation(row.incarnation), 0L))
                        .isImpossible())
                .map(row -> new Anomaly(
                        entry.limit,
                        incarnations.incarnation(row.incarnation),
                        row.account().granted(),
                        row.grantReturned,
                        row.net()))
                .toList();
    }
}
