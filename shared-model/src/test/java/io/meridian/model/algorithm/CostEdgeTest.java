package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Outcome.Refused;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CostEdgeTest {
    private static final Window.Span MINUTE = Window.Span.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void a_cost_above_the_limit_never_fits_and_takes_nothing(Algorithm algorithm) {
        for (long cost : new long[] {11, 1_000, Long.MAX_VALUE}) {
            Client client = Client.of(algorithm, 10, MINUTE);

            assertThat(client.ask(cost, 5))
                    .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.retryAfterMicros())
                            .isEqualTo(Outcome.NEVER));

            assertThat(client.takes(10, 5)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_cost_of_exactly_the_capacity_fits_once(Algorithm algorithm) {
        Client client = Client.of(algorithm, 10, MINUTE);
        assertThat(client.takes(10, 5)).isTrue();
        assertThat(client.takes(1, 5)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void a_question_takes_nothing_however_often_it_is_asked(Algorithm algorithm) {
        Client client = Client.of(algorithm, 1, MINUTE);
        for (int i = 0; i < 100; i++) {
            assertThat(client.takes(0, 5)).isTrue();
        }
        assertThat(client.takes(1, 5)).isTrue();
        assertThat(client.takes(0, 5)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void a_negative_cost_is_named(Algorithm algorithm) {
        Client client = Client.of(algorithm, 1, MINUTE);
        assertThatThrownBy(() -> client.ask(-1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cost must not be negative, got -1");
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void a_burst_is_admitted_at_once_and_only_the_limit_comes_back_per_window(Algorithm algorithm) {
        Client client = new Client(Counters.of(algorithm), Quota.of(10, 5, MINUTE));
        assertThat(client.takesOf(20, 0)).isEqualTo(15);
        assertThat(client.takesOf(20, MINUTE.micros())).isEqualTo(10);
        assertThat(client.takesOf(20, 10 * MINUTE.micros())).isEqualTo(15);
    }
}
