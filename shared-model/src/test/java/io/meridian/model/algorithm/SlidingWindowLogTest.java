package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.testkit.Histories;
import org.junit.jupiter.api.Test;

class SlidingWindowLogTest {
    private static final Counter LOG = Counters.of(Algorithm.SLIDING_WINDOW_LOG);

    @Test
    void every_interval_of_the_windows_length_admits_exactly_what_the_definition_says() {
        everyIntervalAgrees(Histories.TODAY, LOG);
    }

    @Test
    void no_interval_of_the_windows_length_is_above_the_limit() {
        noIntervalIsAbove(Histories.TODAY, LOG);
    }

    @Test
    void a_log_that_charges_refused_requests_is_caught() {
        assertThatThrownBy(() -> everyIntervalAgrees(Histories.KNOWN, Broken.chargesRefused(LOG)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    @Test
    void a_log_that_forgets_too_soon_is_caught() {
        assertThatThrownBy(() -> noIntervalIsAbove(Histories.KNOWN, Broken.forgetsTheOldest(LOG)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in the interval");
    }

    private static void everyIntervalAgrees(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_LOG);
            long windowMicros = Draw.lengthMicros(history.quota().window());
            Oracle.agrees(counter, new LogOracle(windowMicros, windowMicros), history);
        });
    }

    private static void noIntervalIsAbove(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_LOG);
            Promise.holds(Algorithm.SLIDING_WINDOW_LOG, history.replay(counter), history.quota());
        });
    }
}
