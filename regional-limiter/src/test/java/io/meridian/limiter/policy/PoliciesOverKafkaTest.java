package io.meridian.limiter.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.KafkaResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** The limiter as it is deployed: it starts while the topic does not exist yet, and says what it goes by. */
@QuarkusTest
@WithTestResource(KafkaResource.class)
class PoliciesOverKafkaTest {
    @Inject
    Rulebooks rulebooks;

    @Test
    void a_limiter_with_a_kafka_means_to_follow_the_topic() {
        assertThat(ConfigProvider.getConfig().getValue("meridian.limiter.policies.bootstrap-servers", String.class))
                .isEqualTo(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
        assertThat(rulebooks.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);
        assertThat(rulebooks.status().intended()).isFalse();
        assertThat(rulebooks.status().policies()).isEqualTo(3);
    }
}
