package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.testkit.Histories;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlidingWindowEstimateTest {
    private static final Counter ESTIMATE = Counters.of(Algorithm.SLIDING_WINDOW_ESTIMATE);

    @Test
    void the_estimate_is_its_formula_rounded_up_by_no_more_than_it_states() {
        everyEstimateAgrees(Histories.TODAY, ESTIMATE);
    }

    @Test
    void an_estimate_that_is_ten_milliseconds_ahead_is_caught() {
        assertThatThrownBy(() -> everyEstimateAgrees(Histories.KNOWN, Broken.runsAheadBy(10_000, ESTIMATE)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void an_adversary_gets_nearly_twice_the_limit_within_one_windows_length() {
        Quota quota = Quota.of(1_000, 0, Window.Span.ofSeconds(10));
        History lateThenLate = new History(quota, List.of(new Step(1_000, 9_999_999), new Step(940, 19_500_000)));

        assertThat(Promise.most(lateThenLate.replay(ESTIMATE), 10_000_000)).isEqualTo(1_940);
    }

    private static void everyEstimateAgrees(Histories histories, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, Algorithm.SLIDING_WINDOW_ESTIMATE);
            long windowMicros = Draw.lengthMicros(history.quota().window());
            Oracle.agrees(counter, new EstimateOracle(windowMicros), history);
        });
    }
}
