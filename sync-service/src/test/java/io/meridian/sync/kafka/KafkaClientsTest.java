package io.meridian.sync.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.sync.SyncConfig;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;

/**
 * Consumer options of a replica as a member of the group. A killed leader is replaced when its session is over: no other test sees how long that takes
 * on a real Kafka, because the simulation has a group of its own.
 */
class KafkaClientsTest {
    @Test
    void a_replica_that_is_killed_is_missed_after_its_session() {
        SyncConfig config = Actor.config(Map.of("meridian.sync.bootstrap-servers", "127.0.0.1:9"));

        Map<String, Object> options = new KafkaClients(Map.of(), config).memberOptions();

        assertThat(options)
                .containsEntry(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 1_500)
                .containsEntry(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300)
                .containsEntry(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 5_000);
    }
}
