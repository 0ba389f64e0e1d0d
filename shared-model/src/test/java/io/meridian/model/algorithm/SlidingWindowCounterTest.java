package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.Histories;
import io.meridian.model.algorithm.Outcome.Refused;
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
            Terms terms = Draw.terms(random, Algorithm.SLIDING_WINDOW_COUNTER);
            long windowMicros = Draw.lengthMicros(terms.window());
            List<Taken> taken = greedy(random, terms);
            Promise.holdsInEveryInterval(taken, windowMicros, terms.limit());
            long admitted = taken.stream().mapToLong(Taken::cost).sum();
            Claim.that(
                    100 * admitted >= 99 * WINDOWS * terms.limit(),
                    () -> admitted + " in " + WINDOWS + " windows of " + terms);
        });
    }

    private static void staysBetweenTwoLogs(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_COUNTER);
            long windowMicros = Draw.lengthMicros(history.terms().window());
            Oracle.agrees(counter, new LogOracle(windowMicros, windowMicros + windowMicros / 100), history);
        });
    }

    private static void noIntervalIsAbove(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_COUNTER);
            Promise.holds(Algorithm.SLIDING_WINDOW_COUNTER, history.replay(counter), history.terms());
        });
    }

    /** Takes whatever there is in up to ten parts, and comes back at the very microsecond it is told to. */
    private static List<Taken> greedy(SplittableRandom random, Terms terms) {
        List<Taken> taken = new ArrayList<>();
        long windowMicros = Draw.lengthMicros(terms.window());
        long nowMicros = Draw.startMicros(random, windowMicros);
        long endMicros = nowMicros + WINDOWS * windowMicros;
        CounterState state = CounterState.UNTOUCHED;
        while (nowMicros < endMicros) {
            Outcome peek = COUNTER.decide(state, terms, 0, nowMicros);
            if (peek instanceof Refused refused) {
                nowMicros += refused.retryAfterMicros();
                continue;
            }
            long remaining = peek.standing().remaining();
            long part = Math.min(remaining, terms.limit() / random.nextLong(1, 11) + 1);
            state = COUNTER.decide(state, terms, part, nowMicros).next();
            taken.add(new Taken(nowMicros, part));
        }
        return taken;
    }
}
