package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.outbox.TopicReconciliation.TopicContent;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.TestRules;
import io.meridian.model.rules.RuleEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A topic that differs from the database becomes what the database says. */
@ExtendWith(OutboxServers.class)
@Timeout(900)
class TopicReconciliationTest {
    private static final String POLICY =
            "{\"id\": \"%s\", \"key\": [\"user_id\"], \"algorithm\": \"gcra\", \"limit\": %d, \"window\": \"1m\"}";

    private final OutboxStand stand;
    private final TestRules rulebook;

    TopicReconciliationTest(OutboxStand stand) {
        this.stand = stand;
        this.rulebook = new TestRules(stand.database());
    }

    @BeforeEach
    void two_policies_and_a_refused_client_are_known() throws Exception {
        put("first", 10);
        put("second", 20);
        rulebook.put(
                EntryKind.DENY, "{\"identifier_type\": \"user_id\", \"identifier\": \"42\", \"reason\": \"abuse\"}");
        stand.publishAll();
    }

    @Test
    void what_is_as_it_should_be_is_left_alone() {
        Map<String, String> before = stand.effective();

        assertThat(before).hasSize(3);
        assertThat(reconcile()).isZero();
        assertThat(stand.outbox().backlog().records()).isZero();
    }

    @Test
    void an_entry_that_the_topic_lost_is_told_again_once() {
        Map<String, String> before = stand.effective();
        before.keySet().forEach(key -> write(key, null));
        assertThat(stand.effective()).isEmpty();

        assertThat(reconcile()).isEqualTo(3);
        assertThat(reconcile()).as("what waits in the outbox is not missing").isZero();
        stand.publishAll();

        assertThat(stand.effective()).isEqualTo(before);
        assertThat(reconcile()).isZero();
    }

    @Test
    void an_entry_that_only_the_topic_has_is_removed_and_a_key_that_is_none_of_ours_stays() {
        Map<String, String> before = stand.effective();
        write("policy/ghost", before.get(keyOf(before, "first")));
        write("no key of ours", "anything");

        assertThat(reconcile()).isEqualTo(1);
        stand.publishAll();

        assertThat(stand.effective()).doesNotContainKey("policy/ghost").containsKey("no key of ours");
        assertThat(reconcile()).isZero();
    }

    @Test
    void an_entry_of_an_older_revision_is_told_again() throws Exception {
        String key = keyOf(stand.effective(), "first");
        String older = stand.effective().get(key);
        put("first", 11);
        stand.publishAll();
        Map<String, String> before = stand.effective();
        write(key, older);

        assertThat(reconcile()).isEqualTo(1);
        stand.publishAll();

        assertThat(stand.effective()).isEqualTo(before);
    }

    @Test
    void a_change_that_waits_in_the_outbox_is_not_sent_twice() throws Exception {
        put("first", 11);
        put("third", 30);
        rulebook.delete(EntryKind.POLICY, "second");

        assertThat(reconcile()).isZero();
        assertThat(stand.outbox().backlog().records()).isEqualTo(3);
    }

    @Test
    void what_is_changed_and_published_while_the_topic_is_read_is_not_mended() throws Exception {
        for (Predicate<RuleEntry.Key> isFresh : List.<Predicate<RuleEntry.Key>>of(key -> true, key -> false)) {
            TopicContent content = stand.content();
            put("first", rulebook.revision() % 2 == 0 ? 11 : 12);
            rulebook.delete(EntryKind.POLICY, "second");
            put("third", 30);
            stand.publishAll();
            Runnable changing = changesOnce(() -> {
                put("second", 21);
                rulebook.delete(EntryKind.POLICY, "third");
                stand.publishAll();
            });

            int repaired = reconciliation().run(content, changing, isFresh).repaired();

            assertThat(repaired > 0)
                    .as("without knowing what was published meanwhile it would be")
                    .isEqualTo(!isFresh.test(new RuleEntry.Key.OfPolicy("first")));
        }
    }

    private interface Change {
        void make() throws Exception;
    }

    private static Runnable changesOnce(Change change) {
        AtomicBoolean made = new AtomicBoolean();
        return () -> {
            if (made.compareAndSet(false, true)) {
                try {
                    change.make();
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            }
        };
    }

    @Test
    void after_a_restore_from_a_backup_the_topic_goes_back_too_and_numbers_go_on() throws Exception {
        Map<String, String> before = stand.effective();
        saveAll();
        put("first", 11);
        put("third", 30);
        rulebook.delete(EntryKind.POLICY, "second");
        stand.publishAll();
        TopicContent ahead = stand.content();
        restoreAll();
        assertThat(rulebook.revision()).isLessThan(ahead.end().revision());

        assertThat(reconcile()).isEqualTo(3);
        stand.publishAll();

        assertThat(stand.effective()).isEqualTo(before);
        assertThat(put("fourth", 40)).isGreaterThan(ahead.end().revision());
        assertThat(stand.outbox().next(1).get(0).position())
                .isGreaterThan(ahead.end().position());
        stand.publishAll();
        assertThat(stand.content().end().revision()).isEqualTo(rulebook.revision());
        assertThat(reconcile()).isZero();
    }

    private long put(String policy, int limit) throws Exception {
        return rulebook.put(EntryKind.POLICY, POLICY.formatted(policy, limit));
    }

    private int reconcile() {
        return reconciliation().run(stand.content(), () -> {}, key -> false).repaired();
    }

    private TopicReconciliation reconciliation() {
        return new TopicReconciliation(stand.database(), new OutboxRepairs(stand.database()), stand.log());
    }

    private static String keyOf(Map<String, String> entries, String policy) {
        return entries.keySet().stream()
                .filter(key -> key.endsWith(policy))
                .findFirst()
                .orElseThrow();
    }

    /** A record that is none of ours. */
    private void write(String key, @Nullable String value) {
        try (Producer<String, @Nullable String> stranger = stand.stranger()) {
            stranger.initTransactions();
            stranger.beginTransaction();
            var unused = stranger.send(new ProducerRecord<>(stand.config().topic(), key, value));
            stranger.commitTransaction();
        }
    }

    private void saveAll() {
        run("DROP TABLE IF EXISTS saved_policy, saved_version");
        run("CREATE TABLE saved_policy AS TABLE policy");
        run("CREATE TABLE saved_version AS TABLE policy_version");
    }

    /** As a backup would: the numbers too. */
    private void restoreAll() {
        run("DELETE FROM policy");
        run("DELETE FROM policy_version");
        run("INSERT INTO policy SELECT * FROM saved_policy");
        run("INSERT INTO policy_version SELECT * FROM saved_version");
        run("UPDATE rulebook SET revision = 3");
        run("ALTER SEQUENCE outbox_position_seq RESTART WITH 4");
        run("DROP TABLE saved_policy, saved_version");
    }

    private void run(String sql) {
        var unused = stand.database().read(session -> session.run(sql));
    }
}
