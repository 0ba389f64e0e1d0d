package io.meridian.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/** Each kind of client knows every setting that is put, and how Kafka is reached is among them. */
class KafkaSettingsTest {
    private static final Map<String, Object> REACHED = Map.of("security.protocol", "SSL", "group.id", "a-group");

    @Test
    void a_consumer_knows_what_is_set_and_keeps_how_kafka_is_reached_but_no_group() {
        Map<String, Object> settings = KafkaSettings.consumer(REACHED, "kafka:9092", "reader")
                .readingBytes()
                .fetching(1, 2, 3)
                .asMap();

        assertThat(ConsumerConfig.configNames()).containsAll(settings.keySet());
        assertThat(settings)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("isolation.level", "read_committed")
                .doesNotContainKey("group.id");
    }

    @Test
    void a_producer_knows_what_is_set_and_a_retry_of_it_is_no_duplicate() {
        Map<String, Object> settings = KafkaSettings.producer(
                        Map.of("security.protocol", "SSL"), "kafka:9092", "writer")
                .writingTexts()
                .batching("lz4", Duration.ZERO, 1, 2)
                .delivering(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3))
                .asMap();

        assertThat(ProducerConfig.configNames()).containsAll(settings.keySet());
        assertThat(settings)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true);
    }

    @Test
    void an_admin_knows_what_is_set_and_keeps_how_kafka_is_reached() {
        Map<String, Object> settings = KafkaSettings.admin(REACHED, "kafka:9092", "asker")
                .answeredWithin(Duration.ofSeconds(1))
                .asMap();

        assertThat(AdminClientConfig.configNames()).containsAll(settings.keySet());
        assertThat(settings).containsEntry("security.protocol", "SSL").doesNotContainKey("group.id");
    }
}
