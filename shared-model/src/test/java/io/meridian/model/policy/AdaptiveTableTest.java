package io.meridian.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
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
        Window minute = Window.parse("1m");
        LimitSpec bucket = new LimitSpec(Algorithm.TOKEN_BUCKET, 10, minute, 5, 1, List.of());

        assertThat(bucket.quota(150)).isEqualTo(Quota.of(15, 7, minute));
        assertThat(bucket.quota(70)).isEqualTo(Quota.of(7, 3, minute));
        assertThat(bucket.quota(100)).isEqualTo(bucket.quota());
        assertThat(counting(Algorithm.GCRA, 1).quota(50).limit()).isEqualTo(1);
    }

    @Test
    void a_limit_scales_within_what_its_algorithm_counts_to() {
        assertThat(counting(Algorithm.GCRA, Quota.MAX).quota(1_000).limit()).isEqualTo(Quota.MAX);
        assertThat(counting(Algorithm.SLIDING_WINDOW_LOG, 100_000).quota(150).limit())
                .isEqualTo(100_000);
    }

    private static LimitSpec counting(Algorithm algorithm, long limit) {
        return new LimitSpec(algorithm, limit, Window.parse("1m"), 0, 1, List.of());
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
