package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefundAfterStepBackTest {
    private static final long WINDOW = 1_000_000;

    @ParameterizedTest
    @EnumSource
    void a_refund_of_what_is_long_forgotten_makes_no_quota_when_the_clock_steps_back(Algorithm algorithm) {
        Client client = Client.of(algorithm, 10, Window.Span.ofSeconds(1));
        assertThat(client.takes(10, WINDOW / 2)).isTrue();
        assertThat(client.takes(10, 3 * WINDOW)).isTrue();

        client.refund(10, WINDOW / 2, WINDOW - 1);

        assertThat(client.remaining(3 * WINDOW)).isZero();
        assertThat(client.remaining(WINDOW - 1)).isZero();
    }
}
