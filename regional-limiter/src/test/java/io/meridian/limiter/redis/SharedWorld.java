package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.GlobalLimitState;
import io.meridian.model.counter.RegionModel;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.model.counter.RegionModel.StateId;
import io.meridian.model.counter.WindowAccount;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A few limits that regions share, in Redis and in {@link RegionModel}, which must answer alike whatever is asked and said. */
final class SharedWorld {
    private static final int LIMITS = 3;
    /** At least so long a book outlives its window. */
    private static final long GRACE_MICROS = 600_000_000;

    private final SplittableRandom random;
    private final VirtualRedis redis;
    private final StoredIncarnation life;
    private final Limit[] limits = new Limit[LIMITS];
    private final RegionModel model = new RegionModel();
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
        model.identify(new Server("run", "replication", 0), 0, life.number());
        for (int i = 0; i < LIMITS; i++) {
            limits[i] = limitOf.apply("p" + i);
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
        GlobalLimitState before = state(which);
        List<CounterReply> expected = model.count(List.of(ask), life.number(), nowMicros, limit -> offer);
        List<CounterReply> told = redis.ask(List.of(ask));
        if (!told.equals(expected)) {
            throw new AssertionError(
                    "at %d to %s of %s: %s, not %s".formatted(nowMicros, words(ask), before, told, expected));
        }
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
        WindowVerdict verdict = SharedDraw.verdict(random, limit, state(which).account(start));
        VerdictRecord said = SharedLimits.record(limit, start, life, verdict);
        redis.hear(List.of(said));
        model.apply(life.number(), said.limit(), said.rule().countedUntilMicros(start), verdict, nowMicros);
        agree(which, verdict.toString());
        assertThat(redis.book(limit, start).orElse(WindowAccount.EMPTY).granted())
                .isEqualTo(state(which).account(start).granted());
    }

    private GlobalLimitState state(int which) {
        return model.state(new StateId(life.number(), limits[which].policy().id(), limits[which].key()));
    }

    private void agree(int which, String after) {
        long start = limits[which].quota().window().startMicros(nowMicros);
        WindowAccount kept = redis.book(limits[which], start).orElse(WindowAccount.EMPTY);
        assertThat(PackedBook.bare(kept))
                .as("the book of %s at %d after %s", limits[which].quota(), nowMicros, after)
                .isEqualTo(PackedBook.bare(state(which).account(start)));
    }

    /** What Redis has forgotten by now, it may forget: the window has ended long ago. */
    private void expire(int which, Set<String> gone) {
        Limit limit = limits[which];
        byte[] prefix = CounterKey.shared(TestKeys.KEYS, limit.policy().id(), limit.key(), life);
        for (long start : state(which).accounts().keySet()) {
            if (gone.contains(SetTime.name(PackedBook.key(prefix, start)))) {
                long end = limit.quota().window().endMicros(start);
                assertThat(nowMicros).isGreaterThanOrEqualTo(end + GRACE_MICROS - 1_000);
                model.forget(new LimitWindow(limit.policy().id(), limit.key(), start));
            }
        }
        if (gone.contains(SetTime.name(PackedBook.counterKey(prefix, limit)))) {
            model.forgetRate(limit.policy().id(), limit.key());
        }
    }

    private static String words(CounterRequest ask) {
        Limit limit = ask.limit();
        String policy = limit.policy().limitSpec().algorithm() + " of " + limit.quota() + " "
                + limit.policy().coordination() + " v"
                + limit.policy().revision().version();
        return ask.toString().replaceFirst("limit=Limit\\[.*unitCost=1]", policy);
    }
}
