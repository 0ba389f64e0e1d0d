package io.meridian.config.api;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The topic of policies is deleted and created anew under a service that runs, and nobody tells it. */
@ServiceTest
class LostTopicTest {
    private static final String TOPIC = "policies";

    @ConfigProperty(name = "kafka.bootstrap.servers")
    @SuppressWarnings("NullAway.Init") // by the container
    String brokers;

    @BeforeEach
    void ready() throws Exception {
        Admin.awaitReady();
    }

    @Test
    void it_is_filled_again_and_said_to_be_whole_without_a_change_or_a_restart() throws Exception {
        Admin.admin()
                .body(Sample.POLICIES.entry("lost-topic-kept", 5))
                .put("policies/lost-topic-kept")
                .then()
                .statusCode(201);
        Admin.admin()
                .body(Sample.POLICIES.entry("lost-topic-removed", 5))
                .put("policies/lost-topic-removed")
                .then()
                .statusCode(201);
        eventually("the topic is whole")
                .until(() -> holds("lost-topic-kept") && holds("lost-topic-removed") && isWhole());
        String before = identity();
        Admin.admin().delete("policies/lost-topic-removed").then().statusCode(204);

        try (AdminClient kafka = AdminClient.create(Map.of("bootstrap.servers", brokers))) {
            kafka.deleteTopics(List.of(TOPIC)).all().get(2, TimeUnit.MINUTES);
            eventually("it can be created").until(() -> {
                try {
                    kafka.createTopics(List.of(
                                    new NewTopic(TOPIC, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                            .all()
                            .get(2, TimeUnit.MINUTES);
                    return true;
                } catch (ExecutionException stillThere) {
                    return false;
                }
            });
        }

        eventually("the new one is whole").until(() -> holds("lost-topic-kept") && isWhole());
        assertThat(identity()).isNotEqualTo(before);
        assertThat(holds("lost-topic-removed")).isFalse();
    }

    private boolean holds(String policy) {
        try (PoliciesTopic topic = new PoliciesTopic(brokers)) {
            PoliciesTopic.Last last = topic.toItsEnd().get(EntryCodec.key(new RuleEntry.Key.OfPolicy(policy)));
            return last != null && last.present();
        }
    }

    private boolean isWhole() throws Exception {
        try (PoliciesTopic topic = new PoliciesTopic(brokers)) {
            var unused = topic.toItsEnd();
            return topic.whole().equals(identity());
        }
    }

    private String identity() throws Exception {
        try (AdminClient kafka = AdminClient.create(Map.of("bootstrap.servers", brokers))) {
            return Objects.requireNonNull(kafka.describeTopics(List.of(TOPIC))
                            .topicNameValues()
                            .get(TOPIC))
                    .get(2, TimeUnit.MINUTES)
                    .topicId()
                    .toString();
        }
    }
}
