package io.meridian.drill.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LimiterRotationTest {
    private final LimiterStub one = new LimiterStub();
    private final LimiterStub other = new LimiterStub();
    private final List<String> both = List.of(one.address(), other.address());
    private final LimiterRotation rotation =
            new LimiterRotation(HttpClient.newHttpClient(), both, Duration.ofMinutes(5));

    LimiterRotationTest() throws Exception {}

    @AfterEach
    void close() {
        rotation.close();
        one.close();
        other.close();
    }

    @Test
    void one_that_is_not_ready_is_left_out_until_it_is() {
        one.isReady(false);
        assertThat(rotation.of(both)).isEqualTo(both);

        rotation.probe();
        assertThat(rotation.of(both)).containsExactly(other.address());

        one.isReady(true);
        rotation.probe();
        assertThat(rotation.of(both)).isEqualTo(both);
    }

    @Test
    void one_whose_connection_failed_is_left_out_until_it_says_that_it_is_ready() {
        rotation.failed(other.address());
        assertThat(rotation.of(both)).containsExactly(one.address());

        rotation.probe();
        assertThat(rotation.of(both)).isEqualTo(both);
    }

    @Test
    void if_none_is_ready_all_are_asked() {
        one.isReady(false);
        other.close();

        rotation.probe();

        assertThat(rotation.of(both)).isEqualTo(both);
    }
}
