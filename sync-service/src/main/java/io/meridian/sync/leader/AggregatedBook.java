package io.meridian.sync.leader;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.Overshoot;
import java.util.List;

/** The book of production: an aggregator, and nothing besides. */
record AggregatedBook(Aggregator aggregator) implements Book {
    @Override
    public void heard(UsageRecord usage, long arrivedMicros) {
        aggregator.heard(usage, arrivedMicros);
    }

    @Override
    public void announced(RegionAnnouncement announcement, long arrivedMicros) {
        aggregator.announced(announcement, arrivedMicros);
    }

    @Override
    public void said(VerdictRecord verdict) {
        aggregator.said(verdict);
    }

    @Override
    public void floor(FloorRight right) {
        aggregator.floor(right);
    }

    @Override
    public long epoch() {
        return aggregator.epoch();
    }

    @Override
    public void epochSeen(long epoch) {
        aggregator.epochSeen(epoch);
    }

    @Override
    public void lead(long epoch, long nowMicros) {
        aggregator.lead(epoch, nowMicros);
    }

    @Override
    public void follow() {
        aggregator.follow();
    }

    @Override
    public Aggregator.Tick tick(long nowMicros, int limitsMax) {
        return aggregator.tick(nowMicros, limitsMax);
    }

    @Override
    public void sweep(long nowMicros, int parts) {
        aggregator.sweep(nowMicros, parts);
    }

    @Override
    public int size() {
        return aggregator.size();
    }

    @Override
    public List<Overshoot> overshoots() {
        return aggregator.overshoots();
    }

    @Override
    public List<Anomaly> anomalies(int max) {
        return aggregator.anomalies(max);
    }

    @Override
    public GrantTotals grants() {
        return aggregator.grants();
    }
}
