package io.meridian.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.meridian.testkit.TestSeeds;
import io.meridian.testkit.load.LoadGenerator.PoissonSchedule;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void requests_are_due_at_the_rate_and_in_order() {
        PoissonSchedule schedule = new PoissonSchedule(10_000, TestSeeds.first());

        long[] due = LongStream.generate(schedule::nextNanos).limit(100_000).toArray();

        assertThat(due).isSorted();
        // Six standard deviations of a sum of 100,000 exponential gaps.
        assertThat(due[due.length - 1] / 1e9).isCloseTo(10, within(0.2));
    }

    @Test
    void gaps_are_those_of_independent_callers() {
        PoissonSchedule schedule = new PoissonSchedule(1_000, TestSeeds.first());
        long before = 0;
        int longer = 0;
        for (int i = 0; i < 100_000; i++) {
            long due = schedule.nextNanos();
            if (due - before > 1_000_000) {
                longer++;
            }
            before = due;
        }

        assertThat(longer / 100_000.0).isCloseTo(Math.exp(-1), within(0.01));
    }

    @Test
    void no_rate_is_refused() {
        assertThatThrownBy(() -> new PoissonSchedule(0, 1)).hasMessage("perSecond must be positive, got 0.0");
    }
}
