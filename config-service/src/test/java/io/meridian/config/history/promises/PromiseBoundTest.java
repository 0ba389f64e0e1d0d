package io.meridian.config.history.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.history.promises.PromiseBound.Conditions;
import io.meridian.model.policy.Coordination.OnExhausted;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromiseBoundTest {
    private static final Conditions CONNECTED = new Conditions(250_000, 5, Set.of());
    private static final Conditions TWO_CUT = new Conditions(250_000, 5, Set.of("eu", "us"));

    @Test
    void escrow_promises_the_limit_whatever_is_cut_off() {
        assertThat(PromiseBound.escrow(OnExhausted.DENY, CONNECTED).limitPercent())
                .isEqualTo(100);
        assertThat(PromiseBound.escrow(OnExhausted.DENY, TWO_CUT).limitPercent())
                .isEqualTo(100);
        assertThat(PromiseBound.escrow(OnExhausted.DENY, TWO_CUT).loopMicros()).isZero();
    }

    @Test
    void what_a_policy_lets_cut_off_regions_admit_is_in_its_bound() {
        assertThat(PromiseBound.escrow(new OnExhausted.Overdraft(10), TWO_CUT).limitPercent())
                .isEqualTo(120);
        assertThat(PromiseBound.escrow(OnExhausted.LOCAL, TWO_CUT).limitPercent())
                .isEqualTo(300);
        assertThat(PromiseBound.escrow(OnExhausted.LOCAL, CONNECTED).limitPercent())
                .isEqualTo(100);
    }

    @Test
    void converge_promises_a_limit_for_each_part_and_what_the_rate_admits_in_a_loop() {
        assertThat(PromiseBound.converge(CONNECTED)).isEqualTo(new PromiseBound(100, 1, 250_000, true));
        assertThat(PromiseBound.converge(TWO_CUT)).isEqualTo(new PromiseBound(300, 3, 250_000, true));
        assertThat(PromiseBound.converge(new Conditions(0, 5, Set.of())).loopKnown())
                .isFalse();
    }

    @Test
    void there_are_no_more_parts_than_regions() {
        assertThat(new Conditions(0, 2, Set.of("eu", "us")).parts()).isEqualTo(2);
        assertThat(new Conditions(0, 0, Set.of()).parts()).isEqualTo(1);
    }
}
