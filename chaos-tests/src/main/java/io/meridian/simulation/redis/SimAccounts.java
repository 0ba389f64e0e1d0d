package io.meridian.simulation.redis;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.nodes.SimSettings;
import io.meridian.simulation.redis.RegionData.ReportMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Window accounts of a region's Redis that are due for reporting, and the application of verdicts to them. */
final class SimAccounts {
    private static final int DUE_MAX = 2_000;

    private final SimRedis redis;
    private final Mutation mutation;
    /** Grant returns that {@link Mutation#FAKE_GRANT_RETURNS} reports without returning them. */
    private final Map<ReportMark.Id, Long> fakeReturns = new HashMap<>();

    SimAccounts(SimRedis redis, Mutation mutation) {
        this.redis = redis;
        this.mutation = mutation;
    }

    public List<DueAccount> due(long life, int max) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        List<DueAccount> due = new ArrayList<>();
        for (Map.Entry<ReportMark.Id, ReportMark> each : data.marks.entrySet()) {
            if (due.size() < Math.min(max, DUE_MAX) && each.getValue().isDue(now)) {
                due.add(taken(data, each.getKey(), each.getValue(), now));
            }
        }
        return due;
    }

    private DueAccount taken(RegionData data, ReportMark.Id id, ReportMark mark, long now) {
        WindowAccount book = data.book(id.life(), id.limit());
        long claim = mark.claim(now);
        return new DueAccount(
                id.limit(),
                id.life(),
                new UsageCount(book.taken(), book.returned()),
                mark.ownLimit,
                book.grantReturned() + fakeReturns.getOrDefault(id, 0L),
                book.refused(),
                mutation == Mutation.FLOORS_NOT_COUNTED ? Math.min(0, book.floor()) : book.floor(),
                book.requested(),
                SimSettings.KEYS.shard(id.limit().policyId(), id.limit().key()),
                Long.toString(claim));
    }

    public void reported(long life, List<DueAccount> books) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        books.forEach(book -> data.mark(book.incarnation(), book.limit()).reported(ReportMark.claimOf(book), now));
    }

    public void apply(long life, List<VerdictRecord> verdicts) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        verdicts.stream()
                .filter(update ->
                        update.incarnation().number() == life || mutation == Mutation.GRANTS_OUTLIVE_INCARNATION)
                .forEach(update -> apply(data, update, now));
    }

    private long mutatedGrant(long granted) {
        return switch (mutation) {
            case HALVED_GRANTS -> granted / 2;
            case TRUNCATED_GRANTS -> granted - granted / 50;
            default -> granted;
        };
    }

    private void apply(RegionData data, VerdictRecord update, long now) {
        LimitWindow limit = update.limit();
        LimitId id = new LimitId(limit.policyId(), limit.key());
        GlobalLimitState before = data.shelf(data.life, id);
        boolean keepsAll =
                mutation == Mutation.FAKE_GRANT_RETURNS && update.rule().sharing() == SharingMode.ESCROW;
        WindowVerdict verdict = new WindowVerdict(
                update.epoch(),
                update.sequence(),
                mutation == Mutation.NO_VERDICTS ? 0 : update.usedElsewhere(),
                mutation != Mutation.NO_VERDICTS && update.blocked(),
                update.rule().policyVersion(),
                update.rule().limit(),
                mutatedGrant(update.granted()),
                keepsAll || mutation == Mutation.NO_RECALL ? VerdictRecord.KEEP_ALL : update.keep());
        GlobalLimitState after =
                before.apply(limit.startMicros(), update.rule().countedUntilMicros(limit.startMicros()), verdict, now);
        data.shelves.put(new RegionData.ShelfId(data.life, id), after);
        WindowAccount was = before.account(limit.startMicros());
        WindowAccount book = after.account(limit.startMicros());
        if (book.grantReturned() > was.grantReturned() || book.floor() != was.floor()) {
            ReportMark mark = data.mark(data.life, limit);
            mark.ownLimit = update.rule().limit();
            mark.changed(Math.max(1, book.grantReturned() - was.grantReturned()), 0, true, now);
        }
        if (keepsAll && update.keep() != VerdictRecord.KEEP_ALL) {
            long back = Math.max(0, book.grantAvailable() - book.own() - update.keep());
            fakeReturns.merge(new ReportMark.Id(data.life, limit), back, Math::max);
            data.mark(data.life, limit).changed(back, 0, true, now);
        }
    }
}
