package io.meridian.sync.aggregate;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.hash.SipHash;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;

/** What regions report in tests of the aggregator: windows of a minute, from {@link #START} on. */
final class Facts {
    static final long SECOND = 1_000_000;
    static final long WINDOW = 60 * SECOND;
    static final long START = 1_768_474_800 * SECOND;
    static final KeySecret SECRET = KeySecret.parse("000102030405060708090a0b0c0d0e0f");
    static final SipHash HASH = SECRET.hash();
    static final AggregatorRules RULES = new AggregatorRules(SECOND, SECOND, 600 * SECOND, SECRET);
    static final RegionIncarnation EAST = new RegionIncarnation("us-east", 1);
    static final RegionIncarnation WEST = new RegionIncarnation("us-west", 1);
    static final RegionIncarnation EU = new RegionIncarnation("eu-west", 1);

    private Facts() {}

    static WindowRule rule(SharingMode sharing, AfterHeal afterHeal, long version, long limit) {
        return new WindowRule(version, limit, WINDOW, sharing, afterHeal);
    }

    static WindowRule converge(long version, long limit) {
        return rule(SharingMode.CONVERGE, AfterHeal.FORGIVE, version, limit);
    }

    static WindowRule escrow(long version, long limit) {
        return rule(SharingMode.ESCROW, AfterHeal.FORGIVE, version, limit);
    }

    static LimitWindow window(long startMicros) {
        return new LimitWindow("p", "k", startMicros);
    }

    /** Report of a region that decided to have no floor, as one does that was not offered any. */
    static UsageRecord used(RegionIncarnation incarnation, WindowRule rule, long taken) {
        return used(window(START), incarnation, rule, taken);
    }

    static UsageRecord used(LimitWindow limit, RegionIncarnation incarnation, WindowRule rule, long taken) {
        return used(limit, incarnation, rule, taken, 0, 0, 0);
    }

    static UsageRecord used(
            LimitWindow limit,
            RegionIncarnation incarnation,
            WindowRule rule,
            long taken,
            long grantReturned,
            long demandPerSecond,
            long refusedCost) {
        return new UsageRecord(
                limit, incarnation, rule, new UsageCount(taken, 0), grantReturned, demandPerSecond, refusedCost, 0, 1);
    }

    static Aggregator leader(long epoch) {
        Aggregator leader = new Aggregator(RULES);
        leader.lead(epoch, START + SECOND);
        return leader;
    }

    /** Says and commits. */
    static List<VerdictRecord> said(Aggregator leader, long nowMicros) {
        PartitionAggregate.Tick tick = leader.tick(nowMicros, 1_000);
        List<VerdictRecord> verdicts = List.copyOf(tick.verdicts());
        tick.committed();
        return verdicts;
    }
}
