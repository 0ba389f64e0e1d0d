package io.meridian.limiter.control;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.kafka.RedisAndKafka;
import io.meridian.limiter.redis.RedisUnderTestResource;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.model.wire.ViolationRecord;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service as it is put together, with a Kafka. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(RedisAndKafka.class)
@Timeout(300)
class ViolationBeansTest {
    private final ViolationSink violations;
    private final ViolationConfig config;

    @Inject
    ViolationBeansTest(ViolationSink violations, ViolationConfig config) {
        this.violations = violations;
        this.config = config;
    }

    @Test
    void a_denial_arrives_and_is_counted_in_the_metrics() throws Exception {
        String bootstrapServers = config.bootstrapServers().orElseThrow();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic("violations", 1, (short) 1)))
                    .all()
                    .get();
        }
        try (Topic arrived = new Topic(bootstrapServers, "violations")) {
            // Denials of other tests may arrive too: a limiter keeps them until there is a topic.
            violations.refused(Denials.limit(1, 1), Denials.STANDING, Denials.CHECK, true, 1);
            eventually("it arrived").until(() -> of(arrived, "user_id=1").isPresent());

            ViolationRecord record = of(arrived, "user_id=1").orElseThrow();
            assertThat(record.region()).isEqualTo("us-east");
            assertThat(record.shadow()).isTrue();
            assertThat(record.count()).isEqualTo(1);
            eventually("all that arrived is counted").until(() -> RestAssured.get("/q/metrics")
                    .asString()
                    .contains("meridian_limiter_violations_sent_total " + (double) arrived.denials()));
        }
    }

    private static Optional<ViolationRecord> of(Topic arrived, String key) {
        return arrived.records().stream()
                .filter(record -> record.key().equals(key))
                .findFirst();
    }
}
