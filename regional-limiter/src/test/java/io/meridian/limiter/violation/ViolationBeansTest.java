package io.meridian.limiter.violation;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.Violations;
import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.fixture.KafkaResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** The service as it is put together, with a Kafka. */
@QuarkusTest
@QuarkusTestResource(value = KafkaResource.class, restrictToAnnotatedClass = true)
class ViolationBeansTest {
    private final Violations violations;
    private final ViolationConfig config;

    @Inject
    ViolationBeansTest(Violations violations, ViolationConfig config) {
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
            violations.refused(Denials.limit(1, 1), Denials.CHECK, true, 1);
            Eventually.holds("it arrived", () -> arrived.denials() == 1);

            assertThat(arrived.records().get(0).region()).isEqualTo("us-east");
            assertThat(arrived.records().get(0).shadow()).isTrue();
            Eventually.holds("it is counted", () -> RestAssured.get("/q/metrics")
                    .asString()
                    .contains("meridian_limiter_violations_sent_total 1.0"));
        }
    }
}
