package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.load.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdmittedTest {
    private static final long WINDOW = 15_000_000;

    @Test
    void only_what_was_allowed_is_admitted() {
        Admitted admitted = new Admitted(List.of(allowed("a", 0, 1), denied("a", 2, 3), allowed("b", 4, 5)));

        assertThat(admitted.total()).isEqualTo(2);
        assertThat(admitted.asked()).isEqualTo(3);
        assertThat(admitted.byRegion()).containsOnly(entry("a", 1), entry("b", 1));
        assertThat(admitted.of("c")).isZero();
    }

    @Test
    void the_limit_is_crossed_when_its_last_answer_is_received_in_whatever_order_they_were_recorded() {
        Admitted admitted = new Admitted(
                List.of(allowed("a", 0, 90), denied("b", 1, 20), allowed("b", 2, 30), allowed("a", 3, 10)));

        assertThat(admitted.crossedNanos(1)).hasValue(10);
        assertThat(admitted.crossedNanos(2)).hasValue(30);
        assertThat(admitted.crossedNanos(3)).hasValue(90);
        assertThat(admitted.crossedNanos(4)).isEmpty();
    }

    @Test
    void a_limit_of_none_cannot_be_crossed() {
        assertThatThrownBy(() -> new Admitted(List.of()).crossedNanos(0)).hasMessageContaining("got 0");
    }

    @Test
    void the_flag_delay_ends_with_the_last_sending_that_was_allowed() {
        Admitted admitted = new Admitted(List.of(
                allowed("a", 0, 10),
                allowed("a", 5, 20),
                allowed("b", 70, 80),
                allowed("b", 60, 95),
                denied("b", 99, 100)));

        assertThat(admitted.flagDelayNanos("b", 2)).hasValue(70 - 20);
    }

    @Test
    void what_was_on_its_way_when_the_limit_was_crossed_is_no_delay() {
        Admitted admitted = new Admitted(List.of(allowed("a", 0, 10), allowed("b", 9, 50)));

        assertThat(admitted.flagDelayNanos("b", 1)).hasValue(0);
        assertThat(admitted.flagDelayNanos("a", 1)).hasValue(0);
        assertThat(admitted.flagDelayNanos("silent", 1)).hasValue(0);
    }

    @Test
    void without_a_crossing_there_is_no_delay_to_speak_of() {
        assertThat(new Admitted(List.of(allowed("a", 0, 10))).flagDelayNanos("a", 2))
                .isEmpty();
    }

    @Test
    void the_first_answer_is_that_to_the_first_sending() {
        Admitted admitted = new Admitted(List.of(allowed("a", 5, 6), denied("a", 1, 9), allowed("b", 0, 2)));

        assertThat(admitted.first("a"))
                .hasValueSatisfying(first -> assertThat(first.allowed()).isFalse());
        assertThat(admitted.first("c")).isEmpty();
    }

    private static Map.Entry<String, Long> entry(String region, long count) {
        return Map.entry(region, count);
    }

    private static Answered allowed(String region, long sent, long answered) {
        return new Answered(region, new Answer(true, WINDOW, false), sent, answered);
    }

    private static Answered denied(String region, long sent, long answered) {
        return new Answered(region, new Answer(false, WINDOW, false), sent, answered);
    }
}
