package io.meridian.drill.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.load.SendSchedule.ConstantRate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConstantRateTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ConstantRate schedule = new ConstantRate();

    @Test
    void as_many_are_due_as_the_rate_says_also_when_it_does_not_divide_a_second() {
        schedule.change(7, 0);

        // A microsecond later, because fractions of a nanosecond may round either way.
        assertThat(taken(1_000 * SECOND + 1_000)).isEqualTo(7_000);
    }

    @Test
    void what_was_missed_is_made_up_for() {
        schedule.change(10, 0);

        assertThat(taken(SECOND / 2)).isEqualTo(5);
        assertThat(taken(3 * SECOND)).isEqualTo(25);
    }

    @Test
    void what_was_missed_says_when_it_was_due() {
        schedule.change(10, 0);

        assertThat(schedule.takeDue(SECOND)).hasValue(SECOND / 10);
        assertThat(schedule.takeDue(SECOND)).hasValue(2 * SECOND / 10);
    }

    @Test
    void a_change_counts_from_its_moment_and_loses_no_part_of_a_request() {
        schedule.change(1, 0);
        schedule.change(2, SECOND / 2);

        assertThat(schedule.takeDue(SECOND / 2 + SECOND / 4 - 1).isPresent()).isFalse();
        assertThat(schedule.takeDue(SECOND / 2 + SECOND / 4).isPresent()).isTrue();
        assertThat(taken(2 * SECOND + SECOND / 4)).isEqualTo(3);
    }

    @Test
    void a_rate_of_none_sends_none_until_it_changes() {
        schedule.change(100, 0);
        schedule.change(0, 1);
        assertThat(taken(10 * SECOND)).isZero();

        schedule.change(1, 10 * SECOND);
        assertThat(taken(11 * SECOND)).isEqualTo(1);
    }

    @Test
    void a_negative_rate_is_refused() {
        assertThatThrownBy(() -> schedule.change(-1, 0)).hasMessageContaining("-1");
        assertThatThrownBy(() -> schedule.change(Double.NaN, 0)).hasMessageContaining("NaN");
    }

    private int taken(long nowNanos) {
        int taken = 0;
        while (schedule.takeDue(nowNanos).isPresent()) {
            taken++;
        }
        return taken;
    }
}
