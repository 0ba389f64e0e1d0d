package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.testkit.Histories;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limit, burst and window change at any time, to anything up to the largest, under costs and gaps of any size. */
class ChangingQuotaTest {
    @Test
    void a_counter_whose_window_is_shortened_waits_for_the_new_window_only() {
        Quota month = Quota.of(5, 0, Window.parse("31d"));
        Quota second = Quota.of(5, 0, Window.parse("1s"));
        long nowMicros = 1_768_474_800_000_000L;
        CounterState used = Algorithm.SLIDING_WINDOW_COUNTER
                .decide(CounterState.UNTOUCHED, month, 5, nowMicros)
                .next();

        Outcome refused = Algorithm.SLIDING_WINDOW_COUNTER.decide(used, second, 1, nowMicros);

        assertThat(refused).isInstanceOfSatisfying(Outcome.Refused.class, wait -> assertThat(wait.retryAfterMicros())
                .isBetween(1_000_000L, 1_010_000L));
    }

    private static final long[] LIMITS = {1, 7, 1_000, 999_999_999_989L, Quota.MAX};
    private static final long[] BURSTS = {0, 1, 1_000_003, Quota.MAX};
    private static final long FOREVER = TimeUnit.DAYS.toMicros(1_000_000);
    private static final long LONGEST_TOLD = 1L << 51;

    @ParameterizedTest
    @EnumSource
    void any_change_of_terms_is_answered_within_bounds(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            long nowMicros = Draw.startMicros(random, 1_000_000);
            CounterState state = CounterState.UNTOUCHED;
            Quota quota = anyTerms(random, algorithm);
            for (int i = 0; i < 40; i++) {
                quota = random.nextInt(4) == 0 ? anyTerms(random, algorithm) : quota;
                nowMicros = anyTime(random, nowMicros, quota);
                long cost = Draw.cost(random, quota.capacity());
                Outcome outcome = algorithm.decide(state, quota, cost, nowMicros);
                answerIsSane(outcome, quota, nowMicros);
                state = random.nextInt(8) == 0
                        ? algorithm.refund(outcome.next(), quota, cost, nowMicros, nowMicros)
                        : outcome.next();
            }
            long resetMicros =
                    algorithm.decide(state, quota, 0, nowMicros).standing().resetAtMicros();
            if (resetMicros - nowMicros < LONGEST_TOLD / 2) {
                Outcome all = algorithm.decide(state, quota, quota.capacity(), resetMicros);
                Claim.that(all instanceof Outcome.Admitted, () -> "not everything is there at the reset: " + all);
            }
        });
    }

    @Test
    void a_longer_fixed_window_counts_what_the_shorter_one_did() {
        Client client = Client.of(Algorithm.FIXED_WINDOW, 100, Window.Span.ofSeconds(60));
        client.takesOf(100, 90_000_000);
        client.under(Quota.of(100, 0, Window.Span.ofSeconds(3_600)));
        assertThat(client.remaining(90_000_001)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_changed_window_blocks_nobody_longer_than_the_old_and_the_new_one_together(Algorithm algorithm) {
        Window.Span month = Window.Span.ofSeconds(31 * 86_400);
        Client client = Client.of(algorithm, 100, month);
        client.takesOf(100, 0);
        client.under(Quota.of(100, 0, Window.Span.ofSeconds(1)));
        assertThat(client.remaining(month.micros() + 1_000_000)).isEqualTo(100);
    }

    private static void answerIsSane(Outcome outcome, Quota quota, long nowMicros) {
        long remaining = outcome.standing().remaining();
        Claim.that(0 <= remaining && remaining <= quota.capacity(), () -> "remaining: " + outcome + quota);
        Claim.that(outcome.standing().resetAtMicros() - nowMicros < FOREVER, () -> "reset: " + outcome + quota);
        if (outcome instanceof Refused refused && refused.retryAfterMicros() != Outcome.NEVER) {
            long waitMicros = refused.retryAfterMicros();
            Claim.that(0 < waitMicros && waitMicros < FOREVER, () -> "wait: " + outcome + quota);
        }
    }

    private static Quota anyTerms(SplittableRandom random, Algorithm algorithm) {
        long limit = random.nextBoolean() ? Draw.limit(random) : LIMITS[random.nextInt(LIMITS.length)];
        long burst = algorithm.isBucket() ? BURSTS[random.nextInt(BURSTS.length)] : 0;
        boolean monthly = algorithm == Algorithm.FIXED_WINDOW && random.nextInt(4) == 0;
        return Quota.of(limit, burst, monthly ? new Window.Month() : Draw.span(random));
    }

    private static long anyTime(SplittableRandom random, long nowMicros, Quota quota) {
        return switch (random.nextInt(10)) {
            case 0 -> nowMicros - random.nextLong(TimeUnit.DAYS.toMicros(62));
            case 1 -> nowMicros + random.nextLong(TimeUnit.DAYS.toMicros(3_650));
            default -> Draw.laterMicros(random, nowMicros, Draw.lengthMicros(quota.window()));
        };
    }
}
