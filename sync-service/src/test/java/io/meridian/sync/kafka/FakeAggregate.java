package io.meridian.sync.kafka;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.Overshoot;
import io.meridian.sync.aggregate.PartitionAggregate;
import java.util.ArrayList;
import java.util.List;

/** An aggregate that answers every report with one verdict, and records what had been applied at its first tick. */
final class FakeAggregate implements PartitionAggregate {
    private final List<UsageRecord> unanswered = new ArrayList<>();
    private final List<RegionIncarnation> announced = new ArrayList<>();
    private int usageApplied;
    private int verdictsApplied;
    private int appliedBeforePublishing = -1;
    private int verdictsBeforePublishing = -1;
    private long epoch;
    private long leading;

    @Override
    public void applyUsage(UsageRecord usage, long arrivedMicros) {
        usageApplied++;
        unanswered.add(usage);
    }

    @Override
    public void applyAnnouncement(RegionAnnouncement announcement, long arrivedMicros) {
        announced.add(announcement.incarnation());
    }

    @Override
    public void applyVerdict(VerdictRecord verdict) {
        verdictsApplied++;
        observeEpoch(verdict.epoch());
    }

    @Override
    public void applyFloor(FloorRight right) {}

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void observeEpoch(long seen) {
        epoch = Math.max(epoch, seen);
    }

    @Override
    public void lead(long ownEpoch, long nowMicros) {
        leading = ownEpoch;
    }

    @Override
    public void follow() {}

    @Override
    public Tick tick(long nowMicros, int limitsMax) {
        long ownEpoch = leading;
        if (appliedBeforePublishing < 0) {
            appliedBeforePublishing = usageApplied;
            verdictsBeforePublishing = verdictsApplied;
        }
        List<UsageRecord> answered = List.copyOf(unanswered.subList(0, Math.min(limitsMax, unanswered.size())));
        List<VerdictRecord> verdicts =
                answered.stream().map(each -> Records.verdict(each, ownEpoch)).toList();
        return new Tick() {
            @Override
            public List<VerdictRecord> verdicts() {
                return verdicts;
            }

            @Override
            public List<FloorRight> floors() {
                return List.of();
            }

            @Override
            public void committed() {
                unanswered.removeAll(answered);
            }
        };
    }

    @Override
    public void sweep(long nowMicros, int places) {}

    @Override
    public int size() {
        return usageApplied;
    }

    @Override
    public List<Overshoot> overshoots() {
        return List.of();
    }

    @Override
    public List<Anomaly> anomalies(int max) {
        return List.of();
    }

    @Override
    public GrantTotals grants() {
        return GrantTotals.NONE;
    }

    List<RegionIncarnation> announced() {
        return announced;
    }

    int appliedBeforePublishing() {
        return appliedBeforePublishing;
    }

    int verdictsBeforePublishing() {
        return verdictsBeforePublishing;
    }
}
