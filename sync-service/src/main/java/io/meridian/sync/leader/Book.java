package io.meridian.sync.leader;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.Overshoot;
import java.util.List;

/** What is known of the limits of one partition: the port to the {@link Aggregator}, so that leading is tested without it. */
interface Book {
    void heard(UsageRecord usage, long arrivedMicros);

    void announced(RegionAnnouncement announcement, long arrivedMicros);

    void said(VerdictRecord verdict);

    void floor(FloorRight right);

    long epoch();

    void epochSeen(long epoch);

    void lead(long epoch, long nowMicros);

    void follow();

    Aggregator.Tick tick(long nowMicros, int limitsMax);

    void sweep(long nowMicros, int parts);

    int size();

    List<Overshoot> overshoots();

    List<Anomaly> anomalies(int max);

    GrantTotals grants();

    static Book aggregated(AggregatorRules rules) {
        return new AggregatedBook(new Aggregator(rules));
    }
}
