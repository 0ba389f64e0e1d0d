package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.testkit.Histories;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class FixedWindowTest {
    private static final Counter FIXED = Counters.of(Algorithm.FIXED_WINDOW);

    @Test
    void every_aligned_span_admits_exactly_what_the_definition_says() {
        everySpanAgrees(Histories.TODAY, FIXED);
    }

    @Test
    void every_calendar_month_admits_exactly_what_the_definition_says() {
        Histories.TODAY.forEach(random -> {
            Quota quota = Quota.of(Draw.limit(random), 0, new Window.Month());
            agrees(FIXED, History.draw(random, quota), WindowOracle.months());
        });
    }

    @Test
    void a_counter_that_charges_refused_requests_is_caught() {
        assertThatThrownBy(() -> everySpanAgrees(Histories.KNOWN, Broken.chargesRefused(FIXED)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    @Test
    void a_counter_whose_windows_start_a_microsecond_early_is_caught() {
        assertThatThrownBy(() -> everySpanAgrees(Histories.KNOWN, Broken.runsAheadBy(1, FIXED)))
                .isInstanceOf(AssertionError.class);
    }

    private static void everySpanAgrees(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.FIXED_WINDOW);
            agrees(
                    counter,
                    history,
                    WindowOracle.spans(Draw.lengthMicros(history.quota().window())));
        });
    }

    private static void agrees(Counter counter, History history, LongFunction<?> windowOf) {
        Oracle.agrees(counter, new WindowOracle(windowOf), history);
        Promise.holdsInEveryWindow(
                history.replay(counter), windowOf, history.quota().limit());
    }
}
