package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarTest {
    private static final Window MONTH = new Window.Month();

    @ParameterizedTest
    @CsvSource({
        "2026-02-01, 2026-03-01, 28",
        "2028-02-01, 2028-03-01, 29",
        "2026-04-01, 2026-05-01, 30",
        "2026-01-01, 2026-02-01, 31",
        "2026-12-01, 2027-01-01, 31",
        "2000-02-01, 2000-03-01, 29",
        "2100-02-01, 2100-03-01, 28",
        "1969-12-01, 1970-01-01, 31",
        "1968-02-01, 1968-03-01, 29",
    })
    void a_month_ends_where_the_calendar_says(String first, String next, int days) {
        long startMicros = micros(first + "T00:00:00Z");
        long endMicros = micros(next + "T00:00:00Z");

        assertThat(endMicros - startMicros).isEqualTo(days * 86_400_000_000L);
        assertThat(MONTH.startMicros(startMicros)).isEqualTo(startMicros);
        assertThat(MONTH.startMicros(endMicros - 1)).isEqualTo(startMicros);
        assertThat(MONTH.startMicros(startMicros - 1)).isLessThan(startMicros);
        assertThat(MONTH.endMicros(startMicros)).isEqualTo(endMicros);
    }

    @ParameterizedTest
    @CsvSource({"2026-02-28", "2028-02-29", "2026-04-30", "2026-12-31", "2100-02-28", "1969-12-31"})
    void a_monthly_quota_is_whole_again_the_microsecond_after_the_last_of_the_month(String lastDay) {
        long lastMicros = micros(lastDay + "T23:59:59.999999Z");
        Client client = Client.of(Algorithm.FIXED_WINDOW, 100, MONTH);

        assertThat(client.takesOf(150, lastMicros)).isEqualTo(100);
        assertThat(client.ask(1, lastMicros).standing().resetAtMicros()).isEqualTo(lastMicros + 1);
        assertThat(client.takesOf(150, lastMicros + 1)).isEqualTo(100);
    }

    @Test
    void the_leap_day_is_part_of_february() {
        Client client = Client.of(Algorithm.FIXED_WINDOW, 100, MONTH);
        assertThat(client.takesOf(150, micros("2028-02-28T23:59:59.999999Z"))).isEqualTo(100);
        assertThat(client.takesOf(150, micros("2028-02-29T00:00:00Z"))).isZero();
        assertThat(client.takesOf(150, micros("2028-03-01T00:00:00Z"))).isEqualTo(100);
    }

    @Test
    void a_span_is_aligned_before_1970_as_after_it() {
        Window.Span hour = Window.Span.ofSeconds(3_600);
        long hourMicros = hour.micros();
        assertThat(hour.startMicros(-1)).isEqualTo(-hourMicros);
        assertThat(hour.startMicros(-hourMicros)).isEqualTo(-hourMicros);
        assertThat(hour.startMicros(-hourMicros - 1)).isEqualTo(-2 * hourMicros);
        assertThat(hour.startMicros(0)).isZero();
    }

    private static long micros(String instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant));
    }
}
