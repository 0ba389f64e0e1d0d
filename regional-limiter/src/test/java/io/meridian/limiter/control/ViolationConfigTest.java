package io.meridian.limiter.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ViolationConfigTest {
    @Test
    void the_defaults_are_as_documented_and_without_kafka_it_is_off() {
        ViolationConfig config = Denials.config(Map.of());

        assertThat(config.bootstrapServers()).isEmpty();
        assertThat(config.topic()).isEqualTo("violations");
        assertThat(config.interval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.openMax()).isEqualTo(10_000);
        assertThat(config.bufferBytes()).isEqualTo(8 * 1024 * 1024);
        assertThat(config.maxBlock()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.deliveryTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.stopWithin()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void kafka_is_where_the_whole_service_is_told_it_is() {
        ViolationConfig config = Denials.config(Map.of("kafka.bootstrap.servers", "k:9092"));

        assertThat(config.bootstrapServers()).contains("k:9092");
    }
}
