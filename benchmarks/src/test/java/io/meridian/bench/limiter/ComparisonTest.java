package io.meridian.bench.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.meridian.bench.limiter.Comparison.Median;
import io.meridian.bench.limiter.Comparison.Sample;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void a_machine_that_slows_down_steadily_changes_no_ratio() {
        Comparison comparison = new Comparison(samples(855, 765, 675), samples(1_000, 900, 800, 700));

        assertThat(comparison.ratio()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void one_disturbed_round_does_not_count() {
        Comparison comparison = new Comparison(samples(900, 90, 900), samples(1_000, 1_000, 1_000, 1_000));

        assertThat(comparison.ratio()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void the_best_phases_may_lie_apart() {
        Comparison comparison = new Comparison(samples(500, 900), samples(1_000, 1_200, 100));

        assertThat(comparison.ratioOfBests()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void the_middle_of_an_even_number_lies_between_two() {
        assertThat(Median.of(List.of(4, 1, 2, 100), Integer::doubleValue)).isEqualTo(3);
        assertThatThrownBy(() -> Median.of(List.<Integer>of(), Integer::doubleValue))
                .hasMessage("There is no middle of nothing");
    }

    @Test
    void a_subject_without_a_baseline_on_both_sides_is_refused() {
        assertThatThrownBy(() -> new Comparison(samples(1), samples(1)))
                .hasMessage("baseline must have one phase more than the subject, got 1 and 1");
    }

    private static List<Sample> samples(double... perSecond) {
        return Arrays.stream(perSecond)
                .mapToObj(rate -> new Sample(1, rate, 0, 0))
                .toList();
    }
}
