package io.meridian.sync.leader;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.Overshoot;
import java.util.ArrayList;
import java.util.List;

/** Answers every report with one verdict, and remembers what it knew when it was first asked to speak. */
final class FakeBook implements Book {
    private final List<UsageRecord> unanswered = new ArrayList<>();
    private final List<RegionIncarnation> announced = new ArrayList<>();
    private int heard;
    private int said;
    private int heardBeforeSpeaking = -1;
    private int saidBeforeSpeaking = -1;
    private long epoch;
    private long leading;

    @Override
    public void heard(UsageRecord usage, long arrivedMicros) {
        heard++;
        unanswered.add(usage);
    }

    @Override
    public void announced(RegionAnnouncement announcement, long arrivedMicros) {
        announced.add(announcement.incarnation());
    }

    @Override
    public void said(VerdictRecord verdict) {
        said++;
        epochSeen(verdict.epoch());
    }

    @Override
    public void floor(FloorRight right) {}

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void epochSeen(long seen) {
        epoch = Math.max(epoch, seen);
    }

    @Override
    public void lead(long ownEpoch, long nowMicros) {
        leading = ownEpoch;
    }

    @Override
    public void follow() {}

    @Override
    public Aggregator.Tick tick(long nowMicros, int limitsMax) {
        long ownEpoch = leading;
        if (heardBeforeSpeaking < 0) {
            heardBeforeSpeaking = heard;
            saidBeforeSpeaking = said;
        }
        List<UsageRecord> answered = List.copyOf(unanswered.subList(0, Math.min(limitsMax, unanswered.size())));
        List<VerdictRecord> verdicts =
                answered.stream().map(each -> Records.verdict(each, ownEpoch)).toList();
        return new Aggregator.Tick() {
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
        return heard;
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

    int heardBeforeSpeaking() {
        return heardBeforeSpeaking;
    }

    int saidBeforeSpeaking() {
        return saidBeforeSpeaking;
    }
}
