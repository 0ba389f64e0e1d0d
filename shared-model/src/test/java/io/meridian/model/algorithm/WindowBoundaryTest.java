package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A burst in the last microsecond of one aligned window and another in the first of the next. */
class WindowBoundaryTest {
    private static final long BOUNDARY = 1_700_000_000_000_000L;
    private static final Window.Span SPAN = Window.Span.ofSeconds(50);

    @Test
    void a_fixed_window_admits_exactly_twice_the_limit_around_a_boundary() {
        Client client = Client.of(Algorithm.FIXED_WINDOW, 100, SPAN);
        assertThat(client.takesOf(150, BOUNDARY - 1)).isEqualTo(100);
        assertThat(client.takesOf(150, BOUNDARY)).isEqualTo(100);
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() - 1)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER", "TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void all_that_slide_admit_the_limit_once_around_a_boundary(Algorithm algorithm) {
        Client client = Client.of(algorithm, 100, SPAN);
        assertThat(client.takesOf(150, BOUNDARY - 1)).isEqualTo(100);
        assertThat(client.takesOf(150, BOUNDARY)).isZero();
        assertThat(client.takesOf(150, BOUNDARY + 1)).isZero();
    }

    @Test
    void an_estimate_admits_the_limit_once_around_a_boundary_and_nearly_twice_late_in_the_next_window() {
        Client client = Client.of(Algorithm.SLIDING_WINDOW_ESTIMATE, 100, SPAN);
        assertThat(client.takesOf(150, BOUNDARY - 1)).isEqualTo(100);
        assertThat(client.takesOf(150, BOUNDARY)).isZero();
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() - 2)).isEqualTo(99);
    }

    @Test
    void a_log_forgets_at_the_very_microsecond_the_window_has_passed() {
        Client client = Client.of(Algorithm.SLIDING_WINDOW_LOG, 100, SPAN);
        client.takesOf(100, BOUNDARY - 1);
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() - 2)).isZero();
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() - 1)).isEqualTo(100);
    }

    @Test
    void a_counter_forgets_a_sub_window_when_the_window_has_passed_since_the_latest_of_it() {
        Client client = Client.of(Algorithm.SLIDING_WINDOW_COUNTER, 100, SPAN);
        client.takesOf(60, BOUNDARY);
        client.takesOf(40, BOUNDARY + 100_000);
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() + 99_999)).isZero();
        assertThat(client.takesOf(150, BOUNDARY + SPAN.micros() + 100_000)).isEqualTo(100);
    }
}
