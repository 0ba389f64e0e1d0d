package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The topic is read to the end of what was written, not only of what has become readable. */
@ExtendWith(OutboxServers.class)
@Timeout(120)
class TopicContentTest {
    private final OutboxStand stand;

    TopicContentTest(OutboxStand stand) {
        this.stand = stand;
    }

    @BeforeEach
    void something_is_readable() {
        stand.change(1);
        stand.publishAll();
    }

    /** As right after a commit: Kafka has confirmed it, and readers see it only when its mark is in the topic. */
    @Test
    void what_becomes_readable_while_it_reads_is_waited_for() {
        try (Producer<String, @Nullable String> pending = written("late")) {
            List<String> read = new ArrayList<>();
            TopicContent.forEach(
                    OutboxStand.KAFKA,
                    stand.config(),
                    (record, revision) -> {
                        if (read.isEmpty()) {
                            pending.commitTransaction();
                        }
                        read.add(record.key());
                    },
                    () -> {});

            assertThat(read).hasSizeGreaterThan(1).endsWith("late");
        }
    }

    @Test
    void what_never_becomes_readable_ends_the_wait_with_an_error_that_names_the_topic() {
        OutboxStand.Config config = stand.config();
        OutboxStand.Config hasty = new OutboxStand.Config(
                config.bootstrapServers(), config.topic(), config.transactionalId(), 3, Duration.ofSeconds(2));
        try (Producer<String, @Nullable String> pending = written("never")) {
            assertThatThrownBy(() -> TopicContent.read(OutboxStand.KAFKA, hasty, () -> {}))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining(config.topic());
            pending.abortTransaction();
        }

        assertThat(stand.effective()).doesNotContainKey("never").hasSize(1);
    }

    private Producer<String, @Nullable String> written(String key) {
        Producer<String, @Nullable String> producer = stand.stranger();
        producer.initTransactions();
        producer.beginTransaction();
        var unused = producer.send(new ProducerRecord<>(stand.config().topic(), key, "value"));
        producer.flush();
        return producer;
    }
}
