package io.meridian.config.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.history.ConsumptionSql.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimeRangeTest {
    private static final Instant NOW = Instant.parse("2026-03-31T12:34:56.789Z");
    private static final Duration KEPT = Duration.ofDays(30);

    @Test
    void the_last_hour_is_meant_unless_told() {
        assertThat(range(null, null)).isEqualTo(new TimeRange(Instant.parse("2026-03-31T11:34:00Z"), NOW));
    }

    @Test
    void what_is_not_kept_and_what_is_yet_to_come_are_left_out() {
        assertThat(range("-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59Z"))
                .isEqualTo(new TimeRange(Instant.parse("2026-03-01T12:34:00Z"), NOW));
    }

    @Test
    void a_range_that_ends_before_it_begins_is_refused_by_name() {
        assertThatThrownBy(() -> range("2026-03-31T12:00:00Z", "2026-03-31T11:00:00Z"))
                .hasMessageContaining("from must be before to")
                .hasMessageContaining("2026-03-31T12:00:00Z");
        assertThatThrownBy(() -> range(null, "2025-01-01T00:00:00Z"))
                .hasMessageContaining("to must be within the 30 days");
        assertThatThrownBy(() -> range("2027-01-01T00:00:00Z", null)).hasMessageContaining("from must be before to");
    }

    @Test
    void an_answer_has_at_most_a_thousand_points() {
        assertThat(Step.of(Duration.ofHours(16))).isEqualTo(Step.MINUTE);
        assertThat(Step.of(Duration.ofHours(17))).isEqualTo(Step.HOUR);
        assertThat(Step.of(Duration.ofDays(41))).isEqualTo(Step.HOUR);
        assertThat(Step.of(Duration.ofDays(42))).isEqualTo(Step.DAY);
    }

    @Test
    void what_is_known_to_the_microsecond_is_asked_for_so() {
        assertThat(range("2026-03-31T12:00:30.1234567Z", null, ChronoUnit.MICROS)
                        .from())
                .isEqualTo(Instant.parse("2026-03-31T12:00:30.123456Z"));
    }

    private static TimeRange range(@Nullable String from, @Nullable String to) {
        return range(from, to, ChronoUnit.MINUTES);
    }

    private static TimeRange range(@Nullable String from, @Nullable String to, ChronoUnit resolution) {
        return TimeRange.of(
                Optional.ofNullable(from).map(Instant::parse),
                Optional.ofNullable(to).map(Instant::parse),
                NOW,
                KEPT,
                resolution);
    }
}
