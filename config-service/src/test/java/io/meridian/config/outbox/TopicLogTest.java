package io.meridian.config.outbox;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
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
@Timeout(900)
class TopicLogTest {
    private final OutboxStand stand;

    TopicLogTest(OutboxStand stand) {
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
            stand.log()
                    .each(
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
    void what_never_becomes_readable_ends_the_wait_with_an_error_that_names_the_topic() throws Exception {
        OutboxStand.Config config = stand.config();
        OutboxStand.Config hasty = new OutboxStand.Config(
                config.bootstrapServers(), config.topic(), config.transactionalId(), 3, Duration.ofSeconds(1));
        try (Producer<String, @Nullable String> pending = written("never")) {
            // On a busy machine a question before that may take too long, which is another error.
            eventually("the error names the topic").until(() -> {
                TimeoutException late = catchThrowableOfType(
                        TimeoutException.class, () -> new TopicLog(OutboxStand.KAFKA, hasty).last());
                return String.valueOf(late.getMessage()).contains(config.topic());
            });
            pending.abortTransaction();
        }

        assertThat(stand.effective()).doesNotContainKey("never").hasSize(1);
    }

    @Test
    void how_far_it_is_is_found_from_its_end_past_what_others_wrote_and_what_was_given_up() {
        for (int change = 0; change < 5; change++) {
            stand.change(3);
        }
        stand.publishAll();
        TopicLog.End end = stand.content().end();
        assertThat(stand.log().last()).isEqualTo(end);
        assertThat(end.position()).isEqualTo(16);

        try (Producer<String, @Nullable String> stranger = written("stranger")) {
            stranger.commitTransaction();
            stranger.beginTransaction();
            for (int i = 0; i < 5_000; i++) {
                var unused = stranger.send(new ProducerRecord<>(stand.config().topic(), "never", "value"));
            }
            stranger.flush();
            stranger.abortTransaction();
        }

        assertThat(stand.log().last()).isEqualTo(end);
    }

    @Test
    void of_an_empty_topic_nothing_was_published() {
        OutboxStand.Config config = stand.config();
        try (Admin admin = Admin.create(
                Map.of("bootstrap.servers", config.bootstrapServers().orElseThrow()))) {
            String empty = config.topic() + "-empty";
            admin.createTopics(List.of(new NewTopic(empty, 1, (short) 1)))
                    .all()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            OutboxStand.Config other = new OutboxStand.Config(
                    config.bootstrapServers(), empty, config.transactionalId(), 3, config.timeout());

            assertThat(new TopicLog(OutboxStand.KAFKA, other).last()).isEqualTo(TopicLog.End.NONE);
        }
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
