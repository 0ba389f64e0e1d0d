package io.meridian.bench.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.meridian.bench.limiter.Comparison.Median;
import io.meridian.bench.limiter.Comparison.Ratio;
import io.meridian.bench.limiter.Comparison.Sample;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void a_machine_that_slows_down_steadily_changes_no_ratio() {
        Comparison comparison = new Comparison(samples(855, 765, 675), samples(1_000, 900, 800, 700));

        assertThat(comparison.throughput().median()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void one_disturbed_round_does_not_count() {
        Comparison comparison = new Comparison(samples(900, 90, 900), samples(1_000, 1_000, 1_000, 1_000));

        assertThat(comparison.throughput().median()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void rounds_that_spread_too_far_are_not_judged() {
        assertThat(Ratio.of(0.9, 0.95, 1.0, 1.02, 1.6).atMost(1.1)).isEqualTo("met");
        assertThat(Ratio.of(0.9, 0.95, 1.0, 1.02, 1.6).atMost(0.99)).isEqualTo("NOT MET");
        assertThat(Ratio.of(0.7, 0.8, 1.0, 1.2, 1.3).atMost(1.1)).startsWith("NOT JUDGED");
    }

    @Test
    void a_ratio_has_its_lowest_and_highest_round() {
        assertThat(Ratio.of(1.2, 1.0, 1.1)).satisfies(ratio -> {
            assertThat(ratio.median()).isEqualTo(1.1);
            assertThat(ratio.lowest()).isEqualTo(1.0);
            assertThat(ratio.highest()).isEqualTo(1.2);
        });
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
