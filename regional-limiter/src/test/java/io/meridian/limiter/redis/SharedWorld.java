package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/** A few limits that regions share, in Redis and as pure twins, which must answer alike whatever is asked and said. */
final class SharedWorld {
    private static final int LIMITS = 3;
    /** At least so long a book outlives its window. */
    private static final long GRACE_MICROS = 600_000_000;

    private final SplittableRandom random;
    private final VirtualRedis redis;
    private final StoredIncarnation life;
    private final Limit[] limits = new Limit[LIMITS];
    private final GlobalLimitState[] shelves = new GlobalLimitState[LIMITS];
    private long nowMicros;
    private long latestMicros;

    SharedWorld(
            SplittableRandom random,
            Function<StoredIncarnation, VirtualRedis> redisOf,
            Function<String, Limit> limitOf) {
        this.random = random;
        this.nowMicros = Draw.startMicros(random);
        this.latestMicros = nowMicros;
        this.life = new StoredIncarnation(nowMicros - random.nextLong(100_000_000));
        this.redis = redisOf.apply(life);
        for (int i = 0; i < LIMITS; i++) {
            limits[i] = limitOf.apply("p" + i);
            shelves[i] = GlobalLimitState.startedAt(life.number());
        }
    }

    void step() {
        int which = random.nextInt(LIMITS);
        Quota terms = limits[which].quota();
        if (random.nextInt(20) == 0) {
            limits[which] = SharedDraw.changed(random, limits[which]);
        }
        nowMicros = SharedDraw.nextMicros(random, nowMicros, latestMicros, terms);
        latestMicros = Math.max(latestMicros, nowMicros);
        Set<String> gone = redis.at(nowMicros);
        for (int i = 0; i < LIMITS && !gone.isEmpty(); i++) {
            expire(i, gone);
        }
        if (random.nextInt(3) == 0) {
            hear(which);
        } else {
            ask(which);
        }
    }

    private void ask(int which) {
        CounterRequest ask = SharedDraw.ask(random, limits[which], nowMicros);
        FloorOffer offer = SharedDraw.offer(random, limits[which], nowMicros);
        redis.offer(offer);
        GlobalCounter turn = GlobalCounter.of(ask, shelves[which], nowMicros, offer);
        List<CounterReply> told = redis.ask(List.of(ask));
        if (!told.equals(List.of(turn.reply()))) {
            throw new AssertionError("at %d to %s of %s: %s, not %s"
                    .formatted(nowMicros, words(ask), shelves[which], told, turn.reply()));
        }
        shelves[which] = turn.state();
        agree(which, words(ask));
    }

    private void hear(int which) {
        Limit limit = limits[which];
        Window window = limit.quota().window();
        long here = window.startMicros(nowMicros);
        long start =
                switch (random.nextInt(6)) {
                    case 0 -> window.startMicros(here - 1);
                    case 1 -> window.endMicros(here);
                    default -> here;
                };
        WindowVerdict verdict = SharedDraw.verdict(random, limit, shelves[which].account(start));
        VerdictRecord said = SharedLimits.record(limit, start, life, verdict);
        redis.hear(List.of(said));
        shelves[which] = shelves[which].apply(start, said.rule().countedUntilMicros(start), verdict, nowMicros);
        agree(which, verdict.toString());
        assertThat(redis.book(limit, start).orElse(WindowAccount.EMPTY).granted())
                .isEqualTo(shelves[which].account(start).granted());
    }

    private void agree(int which, String after) {
        long start = limits[which].quota().window().startMicros(nowMicros);
        WindowAccount kept = redis.book(limits[which], start).orElse(WindowAccount.EMPTY);
        assertThat(PackedBook.bare(kept))
                .as("the book of %s at %d after %s", limits[which].quota(), nowMicros, after)
                .isEqualTo(PackedBook.bare(shelves[which].account(start)));
    }

    /** What Redis has forgotten by now, it may forget: the window has ended long ago. */
    private void expire(int which, Set<String> gone) {
        GlobalLimitState shelf = shelves[which];
        Limit limit = limits[which];
        byte[] prefix = CounterKey.shared(TestKeys.KEYS, limit.policy().id(), limit.key(), life);
        TreeMap<Long, WindowAccount> left = new TreeMap<>(shelf.accounts());
        left.keySet().removeIf(start -> {
            boolean expired = gone.contains(SetTime.name(PackedBook.key(prefix, start)));
            if (expired) {
                long end = limit.quota().window().endMicros(start);
                assertThat(nowMicros).isGreaterThanOrEqualTo(end + GRACE_MICROS - 1_000);
            }
            return expired;
        });
        boolean counter = gone.contains(SetTime.name(PackedBook.counterKey(prefix, limit)));
        shelves[which] =
                new GlobalLimitState(left, counter ? CounterState.UNTOUCHED : shelf.counter(), shelf.startedMicros());
    }

    private static String words(CounterRequest ask) {
        Limit limit = ask.limit();
        String policy = limit.policy().limitSpec().algorithm() + " of " + limit.quota() + " "
                + limit.policy().coordination() + " v"
                + limit.policy().revision().version();
        return ask.toString().replaceFirst("limit=Limit\\[.*unitCost=1]", policy);
    }
}
