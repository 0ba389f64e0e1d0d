package io.meridian.limiter.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.ManualTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RegionClockTest {
    private static final long NOON = 1_800_000_000_000_000L;
    private static final long SECOND_MICROS = 1_000_000;

    private final ManualTime time = new ManualTime(NOON);
    private final RegionClock clock = new RegionClock(time);

    @Test
    void the_fastest_answer_is_believed() {
        answered(NOON, 200);
        answered(NOON + 5_000, 10_000);

        assertThat(clock.nowMicros()).isEqualTo(time.wallMicros());
    }

    @Test
    void a_slower_answer_is_believed_once_the_faster_is_old() {
        answered(NOON, 200);
        time.advance(SECOND_MICROS);
        long ahead = 3_000;

        answered(time.wallMicros() + ahead, 5_000);

        assertThat(clock.nowMicros() - time.wallMicros()).isEqualTo(ahead);
    }

    @Test
    void an_answer_that_comes_seconds_late_does_not_put_the_region_ahead() {
        answered(NOON, 200);
        long thawedMicros = time.wallMicros() + 5 * SECOND_MICROS;

        answered(thawedMicros, 5 * SECOND_MICROS);

        assertThat(clock.nowMicros()).isEqualTo(time.wallMicros());
    }

    @Test
    void a_clock_that_was_set_back_is_noticed_by_the_next_answer() {
        answered(NOON, 200);

        answered(time.wallMicros() - 3 * SECOND_MICROS, 400);

        assertThat(clock.nowMicros() - time.wallMicros()).isEqualTo(-3 * SECOND_MICROS);
    }

    @Test
    void a_clock_that_was_set_forward_is_noticed_by_the_next_answer() {
        answered(NOON, 200);

        answered(time.wallMicros() + 3 * SECOND_MICROS, 400);

        assertThat(clock.nowMicros() - time.wallMicros()).isEqualTo(3 * SECOND_MICROS);
    }

    /** The region says what time it was when it was asked. */
    private void answered(long regionMicros, long tookMicros) {
        long sentNanos = time.monotonicNanos();
        time.advance(tookMicros);
        clock.learn(regionMicros, sentNanos);
        assertThat(TimeUnit.NANOSECONDS.toMicros(time.monotonicNanos() - sentNanos))
                .isEqualTo(tookMicros);
    }
}
