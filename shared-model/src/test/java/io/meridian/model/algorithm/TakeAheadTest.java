package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.TakenAhead;
import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is taken ahead may be spent at any time before its end, and no promise is broken. */
class TakeAheadTest {
    @ParameterizedTest
    @EnumSource
    void leases_spent_at_any_time_before_their_end_break_no_promise(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            Quota quota = quota(random, algorithm);
            Promise.holds(algorithm, spent(random, Counters.of(algorithm), quota), quota);
        });
    }

    @Test
    void without_its_deposit_a_bucket_would_break_its_promise() {
        Counter careless = new Counter() {
            private final TokenBucket bucket = new TokenBucket();

            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                return bucket.decide(state, quota, cost, nowMicros);
            }

            @Override
            public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
                return bucket.refund(state, quota, cost, takenMicros, nowMicros);
            }

            @Override
            public TakenAhead takeAhead(
                    CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
                return Counter.takeShare(this, state, quota, wish, horizonMicros, nowMicros + horizonMicros, nowMicros);
            }
        };

        assertThatThrownBy(() -> Histories.KNOWN.forEach(random -> {
                    Quota quota = quota(random, Algorithm.TOKEN_BUCKET);
                    Promise.holds(Algorithm.TOKEN_BUCKET, spent(random, careless, quota), quota);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("above the rate");
    }

    @Test
    void a_fixed_window_gives_away_all_of_its_limit_and_no_more() {
        Quota quota = Quota.of(1_000, 0, Window.parse("1h"));
        CounterState state = CounterState.UNTOUCHED;
        long sum = 0;
        while (Algorithm.FIXED_WINDOW.decide(state, quota, 1, 0) instanceof Admitted admitted) {
            TakenAhead ahead = Algorithm.FIXED_WINDOW.takeAhead(admitted.next(), quota, 50, 1_000, 0);
            sum += 1 + ahead.units();
            state = ahead.next();
        }
        assertThat(sum).isEqualTo(1_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"SLIDING_WINDOW_LOG", "LEAKY_BUCKET"})
    void what_promises_the_time_of_every_unit_is_not_taken_ahead(Algorithm algorithm) {
        TakenAhead ahead =
                algorithm.takeAhead(CounterState.UNTOUCHED, Quota.of(1_000, 0, Window.parse("1h")), 10, 1_000, 0);
        assertThat(ahead).isEqualTo(TakenAhead.none(CounterState.UNTOUCHED));
    }

    @ParameterizedTest
    @EnumSource
    void a_lease_is_a_small_share_of_what_is_free(Algorithm algorithm) {
        Quota quota = Quota.of(1_000, 0, Window.parse("1h"));
        TakenAhead ahead = algorithm.takeAhead(CounterState.UNTOUCHED, quota, Long.MAX_VALUE, 1_000, 0);
        assertThat(ahead.units()).isLessThanOrEqualTo(1_000 / TakenAhead.SHARE);
        assertThat(ahead.units() > 0).isEqualTo(algorithm.leasesAhead());
    }

    private record Lease(long units, long untilMicros) {}

    /** Takes, takes ahead, and spends what it holds at the last moment as often as at any other. */
    private static List<Taken> spent(SplittableRandom random, Counter counter, Quota quota) {
        long windowMicros = Draw.lengthMicros(quota.window());
        long nowMicros = Draw.startMicros(random, windowMicros);
        CounterState state = CounterState.UNTOUCHED;
        List<Taken> spent = new ArrayList<>();
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            long endMicros = nextMicros(random, nowMicros, windowMicros, held);
            for (Lease lease : held) {
                spend(random, lease, nowMicros, endMicros, spent);
            }
            held.removeIf(lease -> lease.untilMicros <= endMicros + 1);
            nowMicros = endMicros;
            long cost = random.nextInt(3) == 0
                    ? Math.max(
                            1,
                            counter.decide(state, quota, 0, nowMicros)
                                    .standing()
                                    .remaining())
                    : random.nextLong(1, quota.capacity() / 8 + 2);
            if (counter.decide(state, quota, cost, nowMicros) instanceof Admitted admitted) {
                spent.add(new Taken(nowMicros, cost));
                long horizonMicros = random.nextLong(1, windowMicros / 4);
                TakenAhead ahead =
                        counter.takeAhead(admitted.next(), quota, random.nextLong(1, 1_000), horizonMicros, nowMicros);
                state = ahead.next();
                if (ahead.units() > 0) {
                    held.add(new Lease(ahead.units(), ahead.untilMicros()));
                }
            }
        }
        spent.sort(Comparator.comparingLong(Taken::atMicros));
        return spent;
    }

    /** Often the last moment of a lease. */
    private static long nextMicros(SplittableRandom random, long nowMicros, long windowMicros, List<Lease> held) {
        return held.isEmpty() || random.nextBoolean()
                ? Draw.laterMicros(random, nowMicros, windowMicros)
                : held.get(random.nextInt(held.size())).untilMicros - 1;
    }

    /** All of a lease that ends now, at its last moment; of another maybe all, at some time. */
    private static void spend(
            SplittableRandom random, Lease lease, long fromMicros, long endMicros, List<Taken> spent) {
        if (lease.untilMicros <= endMicros) {
            spent.add(new Taken(random.nextLong(fromMicros, lease.untilMicros), lease.units));
        } else if (lease.untilMicros == endMicros + 1) {
            spent.add(new Taken(endMicros, lease.units));
        }
    }

    private static Quota quota(SplittableRandom random, Algorithm algorithm) {
        long limit = random.nextLong(32, 5_000);
        return Quota.of(limit, algorithm.isBucket() && random.nextBoolean() ? limit : 0, Draw.span(random));
    }
}
