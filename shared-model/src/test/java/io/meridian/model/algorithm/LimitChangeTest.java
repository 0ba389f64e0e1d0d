package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Outcome.Refused;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitChangeTest {
    private static final Window.Span HOUR = Window.Span.ofSeconds(3_600);
    private static final long NOW = 1_700_000_000_000_000L;

    @ParameterizedTest
    @EnumSource
    void a_raised_limit_makes_room_at_once(Algorithm algorithm) {
        Client client = Client.of(algorithm, 100, HOUR);
        assertThat(client.takesOf(150, NOW)).isEqualTo(100);

        client.under(Quota.of(130, 0, HOUR));

        assertThat(client.remaining(NOW)).isEqualTo(30);
        assertThat(client.takesOf(150, NOW)).isEqualTo(30);
    }

    @ParameterizedTest
    @EnumSource
    void a_lowered_limit_leaves_nothing_and_says_when_there_is_room_again(Algorithm algorithm) {
        Client client = Client.of(algorithm, 100, HOUR);
        client.takesOf(80, NOW);

        client.under(Quota.of(70, 0, HOUR));

        assertThat(client.remaining(NOW)).isZero();
        Refused refused = (Refused) client.ask(1, NOW);
        assertThat(client.remaining(NOW + refused.retryAfterMicros() - 1)).isZero();
        assertThat(client.takes(1, NOW + refused.retryAfterMicros())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_limit_lowered_and_raised_again_forgives_nothing(Algorithm algorithm) {
        Client client = Client.of(algorithm, 1_000, HOUR);
        client.takesOf(900, NOW);

        client.under(Quota.of(7, 0, HOUR));
        client.ask(1, NOW);
        client.under(Quota.of(1_000, 0, HOUR));

        assertThat(client.remaining(NOW)).isEqualTo(100);
    }

    /** A bucket's debt is kept up to 2^53 of its units, so only from a fall as deep as this does it forgive any. */
    private static long mostForgiven(Algorithm algorithm) {
        return algorithm.isBucket() ? Quota.MAX - 1 : 0;
    }

    @ParameterizedTest
    @EnumSource
    void the_largest_limit_may_fall_to_one_and_rise_again(Algorithm algorithm) {
        for (Window window : new Window[] {Window.Span.ofSeconds(1), Window.Span.ofSeconds(31 * 86_400)}) {
            Client client = Client.of(algorithm, Quota.MAX, window);
            assertThat(client.takes(Quota.MAX, NOW)).isTrue();

            client.under(Quota.of(1, 0, window));
            assertThat(client.takes(1, NOW)).isFalse();
            assertThat(client.remaining(NOW)).isZero();

            client.under(Quota.of(Quota.MAX, 0, window));
            assertThat(client.remaining(NOW)).isLessThanOrEqualTo(mostForgiven(algorithm));
        }
    }
}
