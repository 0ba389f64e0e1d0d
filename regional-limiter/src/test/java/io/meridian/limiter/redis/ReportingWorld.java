package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.match.Shard;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.UsageCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Instances that take, give back and report, and some that die over it: what the log knows at last must be what was used. */
final class ReportingWorld {
    private static final int LIMITS = 4;
    private static final Window WINDOW = Window.parse("60s");
    /** Longer than anybody has a book to report it. */
    private static final long QUIET_MICROS = 5_000_000;

    private record Logged(UsageCount count, long grantReturned, long floor) {
        static Logged of(DueAccount book) {
            return new Logged(book.count(), book.grantReturned(), book.floor());
        }
    }

    private final SplittableRandom random;
    private final VirtualRedis redis;
    private final StoredIncarnation life;
    private final Limit[] limits = new Limit[LIMITS];
    private final GlobalLimitState[] shelves = new GlobalLimitState[LIMITS];
    private final List<Shard> shards;
    private final List<List<DueAccount>> inFlight = new ArrayList<>();
    private final Map<LimitWindow, Logged> log = new HashMap<>();
    private long nowMicros;
    private long sequence;

    ReportingWorld(SplittableRandom random, VirtualRedis redis, StoredIncarnation life) {
        this.random = random;
        this.redis = redis;
        this.life = life;
        this.nowMicros = life.number() + 1;
        Quota terms = Quota.of(random.nextLong(1, 2_000), 0, WINDOW);
        for (int i = 0; i < LIMITS; i++) {
            shelves[i] = GlobalLimitState.startedAt(life.number());
            limits[i] = switch (i) {
                case 0 -> SharedLimits.escrow("p0", 1, terms);
                case 1 -> SharedLimits.converge("p1", Algorithm.GCRA, AfterHeal.CAP, 1, terms);
                default -> SharedLimits.converge("p" + i, Algorithm.FIXED_WINDOW, AfterHeal.FORGIVE, 1, terms);
            };
        }
        this.shards = Stream.of(limits).map(TestKeys.KEYS::shard).distinct().toList();
    }

    void step() {
        nowMicros += random.nextInt(3) == 0 ? random.nextLong(3_000_000) : random.nextLong(100_000);
        redis.at(nowMicros);
        int which = random.nextInt(LIMITS);
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> ask(which, new CounterRequest.Take(limits[which], random.nextLong(1, 30), 0, 0));
            case 4 ->
                ask(which, new CounterRequest.Refund(limits[which], random.nextLong(1, 30), nowMicros - backMicros()));
            case 5 -> hear();
            case 6, 7 -> collect(random.nextInt(1, 5));
            case 8 -> acknowledge();
            default -> inFlight.removeIf(dies -> random.nextBoolean());
        }
    }

    private long backMicros() {
        return random.nextBoolean() ? 0 : random.nextLong(90_000_000);
    }

    private void ask(int which, CounterRequest ask) {
        FloorOffer offer = new FloorOffer(random.nextLong(50), 0, Long.MAX_VALUE);
        redis.offer(offer);
        GlobalCounter turn = GlobalCounter.of(ask, shelves[which], nowMicros, offer);
        assertThat(redis.ask(List.of(ask))).containsExactly(turn.reply());
        shelves[which] = turn.state();
    }

    /** Grants more, or calls back, in escrow. */
    private void hear() {
        long start = WINDOW.startMicros(nowMicros);
        long keep = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(20);
        long granted = shelves[0].account(start).granted() + random.nextLong(100);
        WindowVerdict verdict = new WindowVerdict(1, ++sequence, 0, false, 1, 7, granted, keep);
        redis.hear(List.of(SharedLimits.record(limits[0], start, life, verdict)));
        shelves[0] = shelves[0].apply(start, WINDOW.endMicros(start), verdict, nowMicros);
    }

    private void collect(int max) {
        List<DueAccount> books = redis.due(shards, max);
        if (!books.isEmpty()) {
            inFlight.add(books);
        }
    }

    /** The log takes a batch, and the acknowledgement arrives or does not. */
    private void acknowledge() {
        if (inFlight.isEmpty()) {
            return;
        }
        List<DueAccount> books = inFlight.remove(random.nextInt(inFlight.size()));
        books.forEach(book -> log.merge(
                book.limit(),
                Logged.of(book),
                (a, b) -> new Logged(
                        a.count.merge(b.count),
                        Math.max(a.grantReturned, b.grantReturned),
                        Math.max(a.floor, b.floor))));
        if (random.nextInt(4) > 0) {
            redis.reported(books);
        }
    }

    /** After what is in flight is lost, one live instance reports all that is left. */
    void quiet() {
        inFlight.clear();
        assertThat(redis.keysForEver()).containsExactly(StoredIncarnation.KEY);
        for (int i = 0; i < 4; i++) {
            nowMicros += QUIET_MICROS;
            redis.at(nowMicros);
            collect(1_000);
            for (List<DueAccount> books : inFlight) {
                books.forEach(book -> log.put(book.limit(), Logged.of(book)));
                redis.reported(books);
            }
            inFlight.clear();
        }
        for (int i = 0; i < LIMITS; i++) {
            String policyId = limits[i].policy().id();
            shelves[i].accounts().forEach((start, book) -> agree(new LimitWindow(policyId, "k", start), book));
        }
        List<String> dirty = shards.stream()
                .map(shard -> SetTime.name(CounterKey.dirty(shard)))
                .toList();
        assertThat(redis.keys()).as("no shard is dirty").noneMatch(key -> dirty.contains(SetTime.name(key)));
        assertThat(redis.keysForEver()).containsExactly(StoredIncarnation.KEY);
    }

    private void agree(LimitWindow limit, WindowAccount book) {
        Logged known = log.getOrDefault(limit, new Logged(UsageCount.ZERO, 0, WindowAccount.UNDECIDED));
        assertThat(known)
                .as("what is reported of %s", limit)
                .isEqualTo(
                        new Logged(new UsageCount(book.taken(), book.returned()), book.grantReturned(), book.floor()));
    }
}
