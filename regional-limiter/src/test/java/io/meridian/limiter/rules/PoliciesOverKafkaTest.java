package io.meridian.limiter.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.stack.process.Loopback;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** The limiter as it is deployed: it starts while the topic cannot be read yet, and says what it goes by. */
@QuarkusTest
@TestProfile(PoliciesOverKafkaTest.KafkaAway.class)
class PoliciesOverKafkaTest {
    public static class KafkaAway implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "kafka.bootstrap.servers",
                    "127.0.0.1:" + Loopback.freePort(),
                    "meridian.limiter.policies.start-timeout",
                    "1ms");
        }
    }

    @Inject
    RulesInEffect rulebooks;

    @Test
    void a_limiter_with_a_kafka_means_to_follow_the_topic() {
        assertThat(ConfigProvider.getConfig().getValue("meridian.limiter.policies.bootstrap-servers", String.class))
                .isEqualTo(ConfigProvider.getConfig().getValue("kafka.bootstrap.servers", String.class));
        assertThat(rulebooks.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);
        assertThat(rulebooks.status().intended()).isFalse();
        assertThat(rulebooks.status().policies()).isEqualTo(3);
    }
}
