package io.meridian.sync.aggregate;

import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
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

/** One incarnation of a region, as the pure functions have it: its states by policy. */
final class RegionTwin {
    final RegionIncarnation incarnation;
    private final long startedMicros;
    private final Map<String, GlobalLimitState> states = new HashMap<>();

    RegionTwin(RegionIncarnation incarnation, long startedMicros) {
        this.incarnation = incarnation;
        this.startedMicros = startedMicros;
    }

    GlobalLimitState state(String policyId) {
        return states.getOrDefault(policyId, GlobalLimitState.startedAt(startedMicros));
    }

    void ask(CounterRequest ask, long nowMicros, FloorOffer offer) {
        String policyId = ask.limit().policy().id();
        states.put(
                policyId,
                GlobalCounter.of(ask, state(policyId), nowMicros, offer).state());
    }

    void apply(VerdictRecord said, long nowMicros) {
        LimitWindow limit = said.limit();
        long end = said.rule().countedUntilMicros(limit.startMicros());
        GlobalLimitState heard = state(limit.policyId()).apply(limit.startMicros(), end, verdict(said), nowMicros);
        states.put(limit.policyId(), heard);
    }

    /** As if it were told nothing but what it was granted: what it is to give back it goes on spending. */
    void hearWithoutLoweringItsLine(VerdictRecord said, long nowMicros) {
        WindowVerdict keepsAll = new WindowVerdict(
                said.epoch(), said.sequence(), 0, false, 0, 0, said.granted(), VerdictRecord.KEEP_ALL);
        LimitWindow limit = said.limit();
        long end = said.rule().countedUntilMicros(limit.startMicros());
        GlobalLimitState heard = state(limit.policyId()).apply(limit.startMicros(), end, keepsAll, nowMicros);
        states.put(limit.policyId(), heard);
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

    /** Usage reports for all windows of a limit. */
    List<UsageRecord> reports(Limit limit, long demandPerSecond, long nowMicros) {
        List<UsageRecord> reports = new ArrayList<>();
        state(limit.policy().id()).accounts().forEach((start, account) -> {
            WindowRule rule = WindowRule.of(limit.policy(), limit.quota().limit());
            reports.add(new UsageRecord(
                    new LimitWindow(limit.policy().id(), limit.key(), start),
                    incarnation,
                    rule,
                    new UsageCount(account.taken(), account.returned()),
                    account.grantReturned(),
                    demandPerSecond,
                    account.refused(),
                    account.floor(),
                    nowMicros));
        });
        return reports;
    }

    WindowAccount account(String policyId, long startMicros) {
        return state(policyId).account(startMicros);
    }
}
