package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/** The model names Kafka's settings without its client; the client knows every one of them. */
class KafkaSettingsTest {
    private static final Map<String, Object> REACHED = Map.of("security.protocol", "SSL", "group.id", "a-group");

    @Test
    void a_consumer_knows_what_is_set_and_keeps_how_kafka_is_reached_but_no_group() {
        Map<String, Object> settings = KafkaSettings.consumer(REACHED, "kafka:9092", "reader");

        assertThat(ConsumerConfig.configNames()).containsAll(settings.keySet());
        assertThat(settings)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("isolation.level", "read_committed")
                .doesNotContainKey("group.id");
    }

    @Test
    void a_producer_knows_what_is_set_and_a_retry_of_it_is_no_duplicate() {
        Map<String, Object> settings =
                KafkaSettings.producer(Map.of("security.protocol", "SSL"), "kafka:9092", "writer");

        assertThat(ProducerConfig.configNames()).containsAll(settings.keySet());
        assertThat(settings)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true);
    }
}
