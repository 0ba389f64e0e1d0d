package io.meridian.sync.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.fixture.KafkaUnderTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica on its own thread whose Kafka dies and comes back. */
@Timeout(300)
class KafkaRestartTest {
    @Test
    void a_replica_goes_on_when_kafka_comes_back() throws Exception {
        try (KafkaUnderTest kafka = KafkaUnderTest.start();
                Stand stand = new Stand(kafka, 2);
                RunningReplica replica = new RunningReplica(stand.settings("a"))) {
            stand.report(0, "before");
            Eventually.holds("it answers", () -> replica.said() >= 1);

            kafka.kill();
            kafka.restart();
            stand.report(1, "after");

            Eventually.holds("it answers again", () -> replica.said() >= 2);
            assertThat(stand.verdicts()).extracting(each -> each.limit().key()).contains("before", "after");
        }
    }

    @Test
    void a_replica_waits_for_its_topics() throws Exception {
        try (KafkaUnderTest kafka = KafkaUnderTest.start();
                Stand stand = new Stand(kafka, 2);
                RunningReplica replica = new RunningReplica(
                        stand.settings("a", "usage-topic", "late-usage", "verdicts-topic", "late"))) {
            Eventually.holds("it has tried", () -> replica.attempts() >= 1);

            kafka.createTopic("late-usage", 2);
            kafka.createTopic("late", 2);

            Eventually.holds("it leads", () -> replica.leads() == 2);
        }
    }
}
