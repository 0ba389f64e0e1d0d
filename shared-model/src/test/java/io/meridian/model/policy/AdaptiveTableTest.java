package io.meridian.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.AdaptiveTable.Step;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveTableTest {
    @ParameterizedTest
    @CsvSource({"0, 150", "50, 150", "51, 100", "80, 100", "81, 70", "95, 70", "96, 50", "100, 50", "250, 50"})
    void the_default_table_follows_the_load(int load, int percent) {
        assertThat(AdaptiveTable.DEFAULT.limitPercent(load)).isEqualTo(percent);
    }

    @Test
    void a_limit_scales_and_never_vanishes() {
        Terms terms = Terms.of(10, 5, Window.parse("1m"));

        assertThat(terms.scaled(150)).isEqualTo(Terms.of(15, 7, Window.parse("1m")));
        assertThat(terms.scaled(70)).isEqualTo(Terms.of(7, 3, Window.parse("1m")));
        assertThat(terms.scaled(100)).isSameAs(terms);
        assertThat(Terms.of(1, 0, Window.parse("1m")).scaled(50).limit()).isEqualTo(1);
        assertThat(Terms.of(Terms.MAX, 0, Window.parse("1m")).scaled(1_000).limit())
                .isEqualTo(Terms.MAX);
    }

    @Test
    void a_table_that_leaves_a_load_open_is_refused_by_name() {
        assertThatThrownBy(() -> new AdaptiveTable(List.of(new Step(50, 150), new Step(90, 50))))
                .hasMessageContaining("steps must end with a step for a load of 100");
        assertThatThrownBy(() -> new AdaptiveTable(List.of(new Step(100, 150), new Step(100, 50))))
                .hasMessageContaining("load_percent must rise from step to step, got 100");
        assertThatThrownBy(() -> new Step(101, 0))
                .hasMessageContaining("load_percent must be from 0 to 100, got 101")
                .hasMessageContaining("limit_percent must be from 1 to 1000, got 0");
    }
}
