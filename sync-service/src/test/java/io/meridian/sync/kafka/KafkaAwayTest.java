package io.meridian.sync.kafka;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.testkit.servers.KafkaUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replica on its own thread, with the time budgets of production, whose Kafka is away for a while. */
@ExtendWith(SharedKafka.class)
@Timeout(1_200)
class KafkaAwayTest {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private final KafkaUnderTest kafka;

    KafkaAwayTest(KafkaUnderTest kafka) {
        this.kafka = kafka;
    }

    @AfterEach
    void heal() {
        kafka.link().heal();
    }

    @Test
    void a_replica_goes_on_when_kafka_can_be_reached_again() throws Exception {
        try (Stand stand = new Stand(kafka, 2);
                RunningReplica replica = new RunningReplica(stand.settings("a"))) {
            stand.report(0, "before");
            eventually("it answers").atMost(DEADLINE).until(() -> replica.published() >= 1);

            kafka.link().cut();
            eventually("it cannot publish").atMost(DEADLINE).until(() -> replica.failed() >= 1);
            kafka.link().heal();
            stand.report(1, "after");

            eventually("it answers again").atMost(DEADLINE).until(() -> replica.published() >= 2);
            assertThat(stand.verdicts()).extracting(each -> each.limit().key()).contains("before", "after");
        }
    }

    @Test
    void a_replica_waits_for_its_topics() throws Exception {
        try (Stand stand = new Stand(kafka, 2);
                RunningReplica replica = new RunningReplica(
                        stand.settings("a", "usage-topic", "late-usage", "verdicts-topic", "late"))) {
            eventually("it has tried").atMost(DEADLINE).until(() -> replica.attempts() >= 1);

            kafka.createTopic("late-usage", 2);
            kafka.createTopic("late", 2);

            eventually("it leads").atMost(DEADLINE).until(() -> replica.leads() == 2);
        }
    }
}
