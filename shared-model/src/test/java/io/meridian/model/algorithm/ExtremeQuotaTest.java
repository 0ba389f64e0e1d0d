package io.meridian.model.algorithm;

import io.meridian.model.algorithm.History.Step;
import io.meridian.testkit.Histories;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The largest limits and bursts over the shortest and the longest window. */
class ExtremeQuotaTest {
    private static final long[] SECONDS = {1, 86_399, TimeUnit.DAYS.toSeconds(31)};
    private static final double LONGEST_TOLD = 0x1p51;

    @ParameterizedTest
    @EnumSource
    void the_promise_holds_at_the_largest_terms(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            Quota quota = quota(random, algorithm);
            Promise.holds(algorithm, History.draw(random, quota).replay(Counters.of(algorithm)), quota);
        });
    }

    @ParameterizedTest
    @EnumSource
    void waits_are_right_and_questions_leave_no_trace_at_the_largest_terms(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, quota(random, algorithm));
            Waits.areRight(Counters.of(algorithm), history);
            NothingTakenTest.leavesNoTrace(Counters.of(algorithm), history);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void a_bucket_of_any_terms_refills_late_by_less_than_it_states(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            Quota quota = quota(random, algorithm);
            CounterState empty = algorithm
                    .decide(CounterState.UNTOUCHED, quota, quota.capacity(), 0)
                    .next();
            double exactMicros = (double) quota.capacity() / quota.limit() * Draw.lengthMicros(quota.window());
            double fullMicros = algorithm.decide(empty, quota, 0, 0).standing().resetAtMicros();
            double toldMicros = Math.min(exactMicros, LONGEST_TOLD);
            Claim.that(
                    toldMicros * (1 - 1e-12) <= fullMicros && fullMicros <= toldMicros * (1 + 1 / 4_000.0) + 1,
                    () -> "full after " + fullMicros + " and not " + exactMicros + ": " + quota);
        });
    }

    /** This bucket drains by ticks of 4,097 microseconds; the first token is back long before the third tick ends. */
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void the_rest_of_a_tick_pays_for_nothing_that_is_taken_in_it(Algorithm algorithm) {
        Quota quota = Quota.of(111, Quota.MAX - 111, Window.Span.ofSeconds(1));
        List<Step> steps =
                List.of(new Step(1, 0), new Step(Quota.MAX - 1, 12_290), new Step(1, 12_291), new Step(1, 20_485));
        Promise.holds(algorithm, new History(quota, steps).replay(Counters.of(algorithm)), quota);
    }

    private static Quota quota(SplittableRandom random, Algorithm algorithm) {
        long limit = random.nextInt(4) == 0 ? Draw.limit(random) : random.nextLong(Quota.MAX / 2, Quota.MAX + 1);
        long burst = random.nextBoolean() ? Quota.MAX : random.nextLong(Quota.MAX + 1);
        Window window = Window.Span.ofSeconds(SECONDS[random.nextInt(SECONDS.length)]);
        return Quota.of(limit, algorithm.isBucket() ? burst : 0, window);
    }
}
