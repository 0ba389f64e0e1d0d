package io.meridian.drill.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.load.SendSchedule.WindowRounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks that are due at places of windows, in virtual time: windows of 4 s, of which one begins at 400 s. */
class WindowRoundsTest {
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final long START_MILLIS = 400_000;
    /** The load has its own time, which begins elsewhere. */
    private static final long ZERO_MILLIS = 399_000;

    @Test
    void a_round_is_spread_over_its_part_of_every_window() {
        WindowRounds rounds = WindowRounds.evenly(WINDOW, 0.25, 0.75, 4);

        assertThat(dueFrom(rounds, 0, 8_000))
                .containsExactly(1_000L, 1_500L, 2_000L, 2_500L, 5_000L, 5_500L, 6_000L, 6_500L);
    }

    @Test
    void a_burst_is_due_all_at_once_in_every_window() {
        WindowRounds rounds = WindowRounds.atOnce(WINDOW, 0.5, 3);

        assertThat(dueFrom(rounds, 0, 8_000)).containsExactly(2_000L, 2_000L, 2_000L, 6_000L, 6_000L, 6_000L);
    }

    @Test
    void of_the_window_in_which_the_load_begins_only_what_is_still_to_come_is_due() {
        assertThat(dueFrom(WindowRounds.evenly(WINDOW, 0.25, 0.75, 4), 1_700, 4_000))
                .containsExactly(2_000L, 2_500L);
        assertThat(dueFrom(WindowRounds.atOnce(WINDOW, 0.5, 3), 2_100, 4_000)).isEmpty();
    }

    @Test
    void what_is_taken_late_says_when_it_was_due() {
        WindowRounds rounds = WindowRounds.atOnce(WINDOW, 0.5, 2);
        assertThat(take(rounds, 0)).isEmpty();

        assertThat(take(rounds, 3_900)).hasValue(due(2_000));
        assertThat(take(rounds, 3_950)).hasValue(due(2_000));
        assertThat(take(rounds, 3_990)).isEmpty();
    }

    @Test
    void what_a_window_did_not_get_in_time_is_not_asked_of_another() {
        WindowRounds rounds = WindowRounds.atOnce(WINDOW, 0.5, 2);
        assertThat(take(rounds, 2_000)).isPresent();

        // An hour in which the process had no core.
        assertThat(take(rounds, 3_600_000)).isEmpty();
        assertThat(dueFrom(rounds, 3_600_000, 3_604_000)).containsExactly(3_602_000L, 3_602_000L);
    }

    @Test
    void a_clock_that_is_set_back_asks_no_window_twice() {
        WindowRounds rounds = WindowRounds.atOnce(WINDOW, 0.5, 1);
        assertThat(take(rounds, 2_000)).isPresent();
        assertThat(take(rounds, 6_000)).isPresent();

        assertThat(take(rounds, 2_000)).isEmpty();
        assertThat(take(rounds, 6_000)).isEmpty();
        assertThat(take(rounds, 10_000)).isPresent();
    }

    @Test
    void a_part_that_is_none_and_a_round_of_nothing_are_refused() {
        assertThatThrownBy(() -> WindowRounds.evenly(WINDOW, 0.5, 0.4, 1))
                .hasMessageContaining("0.5")
                .hasMessageContaining("0.4");
        assertThatThrownBy(() -> WindowRounds.atOnce(WINDOW, 1, 1)).hasMessageContaining("1.0");
        assertThatThrownBy(() -> WindowRounds.atOnce(WINDOW, 0.5, 0))
                .hasMessageContaining("checks must be positive, got 0");
    }

    /** When checks were due that are taken every millisecond, in milliseconds from the window that begins at 400 s. */
    private static List<Long> dueFrom(WindowRounds rounds, long fromMillis, long toMillis) {
        List<Long> due = new ArrayList<>();
        for (long at = fromMillis; at < toMillis; at++) {
            for (OptionalLong each = take(rounds, at); each.isPresent(); each = take(rounds, at)) {
                due.add(TimeUnit.NANOSECONDS.toMillis(each.getAsLong()) + ZERO_MILLIS - START_MILLIS);
            }
        }
        return due;
    }

    private static OptionalLong take(WindowRounds rounds, long millis) {
        return rounds.takeDue(due(millis), TimeUnit.MILLISECONDS.toMicros(START_MILLIS + millis));
    }

    private static long due(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(START_MILLIS - ZERO_MILLIS + millis);
    }
}
