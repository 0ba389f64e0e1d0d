package io.meridian.chaos.sim;

import io.meridian.limiter.decide.LimitId;
import io.meridian.limiter.decide.RegionBooks.DueBook;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a region's Redis has to report of its books, and what it hears in return. */
final class SimBooks {
    private static final int DUE_MAX = 2_000;

    private final SimRedis redis;
    private final Broken broken;
    /** Of a broken region, what it says that it gave back. */
    private final Map<Mark.Id, Long> pretended = new HashMap<>();

    SimBooks(SimRedis redis, Broken broken) {
        this.redis = redis;
        this.broken = broken;
    }

    List<DueBook> due(long life, int max) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        List<DueBook> due = new ArrayList<>();
        for (Map.Entry<Mark.Id, Mark> each : data.marks.entrySet()) {
            if (due.size() < Math.min(max, DUE_MAX) && each.getValue().isDue(now)) {
                due.add(taken(data, each.getKey(), each.getValue(), now));
            }
        }
        return due;
    }

    private DueBook taken(RegionData data, Mark.Id id, Mark mark, long now) {
        WindowAccount book = data.book(id.life(), id.limit());
        long claim = mark.claim(now);
        return new DueBook(
                id.limit(),
                id.life(),
                new UsageCount(book.taken(), book.returned()),
                mark.ownLimit,
                book.grantReturned() + pretended.getOrDefault(id, 0L),
                book.refused(),
                broken == Broken.NO_FLOORS_COUNTED ? Math.min(0, book.floor()) : book.floor(),
                book.requested(),
                SimSettings.KEYS.shard(id.limit().policyId(), id.limit().key()),
                Long.toString(claim));
    }

    void reported(long life, List<DueBook> books) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        books.forEach(book -> data.mark(book.life(), book.limit()).reported(Mark.claimOf(book), now));
    }

    void hear(long life, List<VerdictRecord> verdicts) {
        RegionData data = redis.data(life);
        long now = redis.clock.wallMicros();
        verdicts.stream()
                .filter(said -> said.incarnation().number() == life || broken == Broken.NO_BURNING)
                .forEach(said -> hear(data, said, now));
    }

    private long heardGranted(long granted) {
        return switch (broken) {
            case NO_REBALANCING -> granted / 2;
            case NO_LAST_UNITS -> granted - granted / 50;
            default -> granted;
        };
    }

    private void hear(RegionData data, VerdictRecord said, long now) {
        LimitWindow limit = said.limit();
        LimitId id = new LimitId(limit.policyId(), limit.key());
        GlobalLimitState before = data.shelf(data.life, id);
        boolean keepsAll = broken == Broken.NO_LOWERING && said.rule().sharing() == SharingMode.ESCROW;
        WindowVerdict verdict = new WindowVerdict(
                said.epoch(),
                said.sequence(),
                broken == Broken.NO_TELLING ? 0 : said.usedElsewhere(),
                broken != Broken.NO_TELLING && said.blocked(),
                said.rule().policyVersion(),
                said.rule().limit(),
                heardGranted(said.granted()),
                keepsAll || broken == Broken.NO_RECALL ? VerdictRecord.KEEP_ALL : said.keep());
        GlobalLimitState after =
                before.apply(limit.startMicros(), said.rule().countedUntilMicros(limit.startMicros()), verdict, now);
        data.shelves.put(new RegionData.ShelfId(data.life, id), after);
        WindowAccount was = before.account(limit.startMicros());
        WindowAccount book = after.account(limit.startMicros());
        if (book.grantReturned() > was.grantReturned() || book.floor() != was.floor()) {
            Mark mark = data.mark(data.life, limit);
            mark.ownLimit = said.rule().limit();
            mark.changed(Math.max(1, book.grantReturned() - was.grantReturned()), 0, true, now);
        }
        if (keepsAll && said.keep() != VerdictRecord.KEEP_ALL) {
            long back = Math.max(0, book.grantAvailable() - book.own() - said.keep());
            pretended.merge(new Mark.Id(data.life, limit), back, Math::max);
            data.mark(data.life, limit).changed(back, 0, true, now);
        }
    }
}
