package io.meridian.sync.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockSkewTest {
    private final ClockSkew skew = new ClockSkew(0);

    @Test
    void it_is_the_largest_that_was_seen_because_a_way_only_makes_it_smaller() {
        skew.add(-80_000, 0);
        skew.add(-3_000, seconds(1));
        skew.add(-40_000, seconds(2));

        assertThat(skew.micros(seconds(3))).hasValue(-3_000);
    }

    @Test
    void what_was_seen_long_ago_is_forgotten() {
        skew.add(300_000, seconds(1));
        skew.add(-2_000, seconds(6));

        assertThat(skew.micros(seconds(9))).hasValue(300_000);
        assertThat(skew.micros(seconds(10))).hasValue(-2_000);
        assertThat(skew.micros(seconds(15))).isEmpty();
    }

    @Test
    void nothing_is_said_of_a_region_that_is_silent() {
        skew.add(5, 0);

        assertThat(skew.micros(seconds(60))).isEmpty();
    }

    private static long seconds(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
