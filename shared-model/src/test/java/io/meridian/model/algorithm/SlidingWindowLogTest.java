package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.Seeds;
import org.junit.jupiter.api.Test;

class SlidingWindowLogTest {
    private static final Counter LOG = Counters.of(Algorithm.SLIDING_WINDOW_LOG);

    @Test
    void every_interval_of_the_windows_length_admits_exactly_what_the_definition_says() {
        everyIntervalAgrees(LOG);
    }

    @Test
    void no_interval_of_the_windows_length_is_above_the_limit() {
        noIntervalIsAbove(LOG);
    }

    @Test
    void a_log_that_charges_refused_requests_is_caught() {
        assertThatThrownBy(() -> everyIntervalAgrees(Broken.chargesRefused(LOG)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    @Test
    void a_log_that_forgets_too_soon_is_caught() {
        assertThatThrownBy(() -> noIntervalIsAbove(Broken.forgetsTheOldest(LOG)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in the interval");
    }

    private static void everyIntervalAgrees(Counter counter) {
        Seeds.forEachHistory(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_LOG);
            long windowMicros = Draw.lengthMicros(history.terms().window());
            Oracle.agrees(counter, new LogOracle(windowMicros, windowMicros), history);
        });
    }

    private static void noIntervalIsAbove(Counter counter) {
        Seeds.forEachHistory(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_LOG);
            Promise.holds(Algorithm.SLIDING_WINDOW_LOG, history.replay(counter), history.terms());
        });
    }
}
