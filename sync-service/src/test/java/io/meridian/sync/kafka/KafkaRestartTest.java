package io.meridian.sync.kafka;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.testkit.servers.KafkaUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A replica on its own thread whose Kafka dies and comes back. A killed broker is let in again only after the session of its
 * previous incarnation, so that every build cuts the link instead ({@link KafkaAwayTest}).
 */
@Tag("full")
@Timeout(1_200)
class KafkaRestartTest {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    @Test
    void a_replica_goes_on_when_kafka_comes_back() throws Exception {
        try (KafkaUnderTest kafka = KafkaUnderTest.start();
                Stand stand = new Stand(kafka, 2);
                RunningReplica replica = new RunningReplica(stand.settings("a"))) {
            stand.report(0, "before");
            eventually("it answers").atMost(DEADLINE).until(() -> replica.published() >= 1);

            kafka.kill();
            kafka.restart();
            stand.report(1, "after");

            eventually("it answers again").atMost(DEADLINE).until(() -> replica.published() >= 2);
            assertThat(stand.verdicts()).extracting(each -> each.limit().key()).contains("before", "after");
        }
    }
}
