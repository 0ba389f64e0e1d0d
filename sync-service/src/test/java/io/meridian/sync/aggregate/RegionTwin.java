package io.meridian.sync.aggregate;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One life of a region, as the pure functions have it: its shelves by policy. */
final class RegionTwin {
    final RegionIncarnation life;
    private final long beganMicros;
    private final Map<String, GlobalLimitState> shelves = new HashMap<>();

    RegionTwin(RegionIncarnation life, long beganMicros) {
        this.life = life;
        this.beganMicros = beganMicros;
    }

    GlobalLimitState shelf(String policyId) {
        return shelves.getOrDefault(policyId, GlobalLimitState.begun(beganMicros));
    }

    void ask(CounterRequest ask, long nowMicros, FloorOffer offer) {
        String policyId = ask.limit().policy().id();
        shelves.put(
                policyId, GlobalCounter.of(ask, shelf(policyId), nowMicros, offer).shelf());
    }

    void hear(VerdictRecord said, long nowMicros) {
        LimitWindow limit = said.limit();
        long end = said.rule().countedUntilMicros(limit.startMicros());
        GlobalLimitState heard = shelf(limit.policyId()).hear(limit.startMicros(), end, verdict(said), nowMicros);
        shelves.put(limit.policyId(), heard);
    }

    /** As if it were told nothing but what it was granted: what it is to give back it goes on spending. */
    void hearWithoutLoweringItsLine(VerdictRecord said, long nowMicros) {
        WindowVerdict keepsAll =
                new WindowVerdict(said.epoch(), said.sequence(), 0, false, 0, 0, said.granted(), VerdictRecord.KEEP_ALL);
        LimitWindow limit = said.limit();
        long end = said.rule().countedUntilMicros(limit.startMicros());
        GlobalLimitState heard = shelf(limit.policyId()).hear(limit.startMicros(), end, keepsAll, nowMicros);
        shelves.put(limit.policyId(), heard);
    }

    private static WindowVerdict verdict(VerdictRecord said) {
        return new WindowVerdict(
                said.epoch(),
                said.sequence(),
                said.usedElsewhere(),
                said.blocked(),
                said.rule().policyVersion(),
                said.rule().limit(),
                said.granted(),
                said.keep());
    }

    /** What it reports of all windows of a limit. */
    List<UsageRecord> reports(Limit limit, long demandPerSecond, long nowMicros) {
        List<UsageRecord> reports = new ArrayList<>();
        shelf(limit.policy().id()).books().forEach((start, book) -> {
            WindowRule rule = WindowRule.of(limit.policy(), limit.terms().limit());
            reports.add(new UsageRecord(
                    new LimitWindow(limit.policy().id(), limit.key(), start),
                    life,
                    rule,
                    new UsageCount(book.taken(), book.returned()),
                    book.grantReturned(),
                    demandPerSecond,
                    book.refused(),
                    book.floor(),
                    nowMicros));
        });
        return reports;
    }

    WindowAccount book(String policyId, long startMicros) {
        return shelf(policyId).book(startMicros);
    }
}
