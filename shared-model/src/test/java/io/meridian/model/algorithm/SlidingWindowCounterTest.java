package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlidingWindowCounterTest {
    private static final Counter COUNTER = Counters.of(Algorithm.SLIDING_WINDOW_COUNTER);
    private static final int WINDOWS = 20;

    @Test
    void it_is_never_above_a_log_of_the_window_nor_below_a_log_of_a_window_longer_by_a_hundredth() {
        staysBetweenTwoLogs(Histories.TODAY, COUNTER);
    }

    @Test
    void no_interval_of_the_windows_length_is_above_the_limit() {
        noIntervalIsAbove(Histories.TODAY, COUNTER);
    }

    @Test
    void a_counter_that_forgets_its_oldest_sub_window_is_caught() {
        assertThatThrownBy(() -> noIntervalIsAbove(Histories.KNOWN, Broken.forgetsTheOldest(COUNTER)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in the interval");
    }

    @Test
    void a_counter_that_charges_refused_requests_is_caught() {
        assertThatThrownBy(() -> staysBetweenTwoLogs(Histories.KNOWN, Broken.chargesRefused(COUNTER)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    @Test
    void demand_that_never_rests_gets_the_limit_less_at_most_one_per_cent_and_never_more() {
        Histories.TODAY.forEach(random -> {
            Quota quota = Draw.quota(random, Algorithm.SLIDING_WINDOW_COUNTER);
            long windowMicros = Draw.lengthMicros(quota.window());
            List<Taken> taken = greedy(random, quota);
            Promise.holdsInEveryInterval(taken, windowMicros, quota.limit());
            long admitted = taken.stream().mapToLong(Taken::cost).sum();
            Claim.that(
                    100 * admitted >= 99 * WINDOWS * quota.limit(),
                    () -> admitted + " in " + WINDOWS + " windows of " + quota);
        });
    }

    @Test
    void nobody_waits_longer_than_the_window() {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_COUNTER);
            long windowMicros = Draw.lengthMicros(history.quota().window());
            CounterState state = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                Outcome outcome = COUNTER.decide(state, history.quota(), step.cost(), step.nowMicros());
                state = outcome.next();
                if (outcome instanceof Refused refused
                        && step.cost() <= history.quota().capacity()) {
                    Claim.that(
                            refused.retryAfterMicros() <= windowMicros,
                            () -> refused.retryAfterMicros() + " in a window of " + windowMicros);
                }
            }
        });
    }

    @Test
    void a_burst_with_leases_ahead_of_it_is_forgotten_from_its_first_unit_on() {
        Quota quota = Quota.of(100, 0, Window.parse("4s"));
        long nowMicros = 1_700_000_000_001_000L;
        CounterState state = CounterState.UNTOUCHED;
        for (int i = 0; i < 200; i++) {
            if (COUNTER.decide(state, quota, 1, nowMicros + i) instanceof Admitted admitted) {
                state = COUNTER.takeAhead(admitted.next(), quota, 5, 20_000, nowMicros + i)
                        .next();
            }
        }

        Outcome outcome = COUNTER.decide(state, quota, 1, nowMicros + 300);

        assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.retryAfterMicros())
                .isLessThanOrEqualTo(4_000_000));
    }

    @Test
    void at_most_one_entry_is_kept_of_a_sub_window_and_one_more_of_the_last() {
        Histories.TODAY.forEach(100, random -> {
            Quota quota = Quota.of(1_000_000, 0, Window.parse("10s"));
            long nowMicros = 1_700_000_000_000_000L;
            CounterState state = CounterState.UNTOUCHED;
            for (int i = 0; i < 2_000; i++) {
                nowMicros += random.nextLong(30_000);
                state = COUNTER.decide(state, quota, 1, nowMicros).next();
                state = COUNTER.takeAhead(state, quota, 1, random.nextLong(1, 40_000), nowMicros)
                        .next();
                int entries = ((SlidingLog) state).entries();
                Claim.that(entries <= 102, () -> entries + " entries");
            }
        });
    }

    private static void staysBetweenTwoLogs(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_COUNTER);
            long windowMicros = Draw.lengthMicros(history.quota().window());
            Oracle.agrees(counter, new LogOracle(windowMicros, windowMicros + windowMicros / 100), history);
        });
    }

    private static void noIntervalIsAbove(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_COUNTER);
            Promise.holds(Algorithm.SLIDING_WINDOW_COUNTER, history.replay(counter), history.quota());
        });
    }

    /** Takes whatever there is in up to ten parts, and comes back at the very microsecond it is told to. */
    private static List<Taken> greedy(SplittableRandom random, Quota quota) {
        List<Taken> taken = new ArrayList<>();
        long windowMicros = Draw.lengthMicros(quota.window());
        long nowMicros = Draw.startMicros(random, windowMicros);
        long endMicros = nowMicros + WINDOWS * windowMicros;
        CounterState state = CounterState.UNTOUCHED;
        while (nowMicros < endMicros) {
            Outcome peek = COUNTER.decide(state, quota, 0, nowMicros);
            if (peek instanceof Refused refused) {
                nowMicros += refused.retryAfterMicros();
                continue;
            }
            long remaining = peek.standing().remaining();
            long part = Math.min(remaining, quota.limit() / random.nextLong(1, 11) + 1);
            state = COUNTER.decide(state, quota, part, nowMicros).next();
            taken.add(new Taken(nowMicros, part));
        }
        return taken;
    }
}
