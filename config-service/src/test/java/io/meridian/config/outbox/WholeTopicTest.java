package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.TestRules;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A topic is said to be whole once it has what the database has; of another one of its name that says nothing. */
@ExtendWith(OutboxServers.class)
@Timeout(900)
class WholeTopicTest {
    private static final String POLICY =
            "{\"id\": \"%s\", \"key\": [\"user_id\"], \"algorithm\": \"gcra\", \"limit\": %d, \"window\": \"1m\"}";

    private final OutboxStand stand;
    private final TestRules rulebook;
    private final Producer<String, @Nullable String> producer;

    WholeTopicTest(OutboxStand stand) {
        this.stand = stand;
        this.rulebook = new TestRules(stand.database());
        this.producer = stand.producer();
    }

    @BeforeEach
    void two_policies_are_published() throws Exception {
        put("first", 10);
        put("second", 20);
        stand.publishAll();
        producer.initTransactions();
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void it_is_said_when_nothing_waits_any_more_and_with_every_change_from_then_on() throws Exception {
        BatchPublisher publication = publication();
        assertThat(reconcile().complete()).isTrue();
        publication.completed(stand.identity());
        for (int i = 0; i < stand.config().batch() + 1; i++) {
            put("more-" + i, 10);
        }
        assertThat(publication.publish()).hasSize(stand.config().batch());
        assertThat(stand.wholeTopic()).as("a change still waits").isEmpty();

        assertThat(publication.publish()).hasSize(1);

        assertThat(stand.wholeTopic()).isEqualTo(stand.identity());
        put("another", 10);
        assertThat(publication.publish()).hasSize(1);
        assertThat(stand.log().last().wholeTopic())
                .as("a successor learns it from the last marker")
                .isEqualTo(stand.identity());
    }

    @Test
    void it_is_said_once_where_there_is_no_change_to_say_it_with() {
        BatchPublisher publication = publication();
        long position = stand.content().end().position();
        publication.completed(stand.identity());

        assertThat(publication.publish()).isEmpty();
        assertThat(publication.publish()).isEmpty();
        publication.completed(stand.identity());
        assertThat(publication.publish()).isEmpty();

        assertThat(stand.wholeTopic()).isEqualTo(stand.identity());
        assertThat(stand.content().end().revision()).isEqualTo(rulebook.revision());
        assertThat(stand.content().end().position()).isEqualTo(position);
        assertThat(stand.wholeRevisions()).hasSize(2);
    }

    @Test
    void a_topic_created_anew_is_filled_and_then_said_to_be_whole() throws Exception {
        BatchPublisher before = publication();
        before.completed(stand.identity());
        assertThat(before.publish()).isEmpty();
        String former = stand.identity();
        Map<String, String> all = stand.effective();
        stand.createAnew();

        assertThat(stand.identity()).isNotEqualTo(former);
        put("third", 30);
        rulebook.delete(EntryKind.POLICY, "third");
        assertThat(before.publish()).hasSize(2);
        assertThat(stand.wholeTopic())
                .as("a publisher that has not noticed speaks of the former topic")
                .isNotEqualTo(stand.identity());

        BatchPublisher next = publication();
        TopicReconciliation.Result result = reconcile();
        assertThat(result).isEqualTo(new TopicReconciliation.Result(2, true));
        next.completed(stand.identity());
        assertThat(next.publish()).hasSize(2);
        assertThat(stand.effective()).isEqualTo(all);
        assertThat(stand.wholeTopic()).isEqualTo(stand.identity());
    }

    private BatchPublisher publication() {
        BatchPublisher publication = new BatchPublisher(
                producer, stand.outbox(), stand.config().topic(), stand.config().batch());
        publication.begin(stand.log().last().position());
        return publication;
    }

    private TopicReconciliation.Result reconcile() {
        return new TopicReconciliation(stand.database(), new OutboxRepairs(stand.database()), stand.log())
                .run(stand.content(), () -> {}, key -> false);
    }

    private void put(String policy, int limit) throws Exception {
        rulebook.put(EntryKind.POLICY, POLICY.formatted(policy, limit));
    }
}
