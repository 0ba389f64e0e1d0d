package io.meridian.limiter.rules.source;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.kafka.SharedKafka;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import io.meridian.limiter.rules.source.LastKnownGood.CopyWriter;
import io.meridian.limiter.rules.source.PolicySources.BuiltInPolicies;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.KafkaUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The topic source against a real Kafka. Time passes when a test says so: a source whose clock stands still does not ask whether
 * it is up to date, and no pause of the machine makes it read anew.
 */
@Timeout(600)
@ExtendWith(SharedKafka.class)
class TopicSourceTest {
    private static final int ENTRIES = TestAmounts.of(100_000, 1_000_000);
    private static final Duration LOADED_WITHIN = Duration.ofMinutes(2);
    private static final long LONGER_THAN_A_CONFIRMATION_MICROS = TimeUnit.SECONDS.toMicros(2);
    private static final Identifier USER = new Identifier("user_id", "1");

    private final KafkaUnderTest kafka;
    private final SetTime time = new SetTime();
    private final ActiveRules live = new ActiveRules("us-east", time);
    private final PolicyTopic topic;

    TopicSourceTest(KafkaUnderTest kafka, TestInfo test) {
        this.kafka = kafka;
        this.topic = new PolicyTopic(
                kafka.directAddress(), test.getTestMethod().orElseThrow().getName());
    }

    @BeforeEach
    void startsWithWhatIsBuiltIn() {
        live.replace(BuiltInPolicies.read(), RuleOrigin.DEFAULTS, false);
    }

    @AfterEach
    void stop() {
        topic.close();
        kafka.link().heal();
    }

    @Test
    void what_the_topic_says_is_in_effect_and_stays_so_while_kafka_is_away() throws Exception {
        topic.create(3);
        topic.put(policy("p", 10));
        topic.put(policy("p", 20));
        topic.put(policy("q", 5));
        topic.remove(new RuleEntry.Key.OfPolicy("q"));
        topic.put(new RuleEntry.OfOverride(new LimitOverride("p", USER, 30, 0, Expiry.NEVER)));
        topic.send("policy/broken", "{\"format\":1,\"id\":\"broken\"}");
        topic.send("policy/worse", "no JSON");
        topic.send("planet/earth", "{}");
        topic.flush();
        try (TopicSource source = source()) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();
            assertThat(Asked.limits(live, "1")).containsExactly("p:30");
            assertThat(Asked.limits(live, "2")).containsExactly("p:20");
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.TOPIC);
            assertThat(live.status().refused()).containsEntry("policy", 2L).containsEntry("unknown", 1L);

            topic.put(policy("p", 40));
            eventually("the change is in effect").until(() -> isLimit("2", "p:40"));
            topic.put(list(ListKind.DENY, "1"));
            eventually("the denial is in effect").until(() -> isBarred("1"));

            kafka.link().cut();
            assertThat(isBarred("1")).isTrue();
            topic.remove(new RuleEntry.Key.OfList(ListKind.DENY, USER));
            topic.put(policy("p", 50));
            topic.flush();
            assertThat(isBarred("1")).isTrue();
            assertThat(isLimit("2", "p:40")).isTrue();
            kafka.link().heal();
            eventually("what came in the outage is in effect").until(() -> isLimit("2", "p:50") && !isBarred("1"));
            assertThat(Asked.limits(live, "1")).containsExactly("p:30");
        }
    }

    @Test
    @Tag("full")
    void a_kafka_that_was_killed_and_started_again_is_followed_on() throws Exception {
        topic.create(3);
        topic.put(policy("p", 10));
        topic.put(list(ListKind.DENY, "1"));
        topic.flush();
        try (TopicSource source = source(TimeSource.system())) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();

            kafka.kill();
            assertThat(isBarred("1")).isTrue();
            kafka.restart();
            topic.remove(new RuleEntry.Key.OfList(ListKind.DENY, USER));
            topic.put(policy("p", 20));
            eventually("what came after the outage is in effect").until(() -> isLimit("2", "p:20") && !isBarred("1"));
        }
    }

    @Test
    void what_is_sent_again_changes_nothing_and_the_revision_says_how_far_it_is() throws Exception {
        topic.create(1);
        topic.put(policy("p", 30), 9);
        topic.put(policy("p", 10), 3);
        topic.flush();
        try (TopicSource source = source()) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();
            assertThat(Asked.limits(live, "1"))
                    .as("at first the topic's order is the truth")
                    .containsExactly("p:10");
            assertThat(live.status().revision()).isEqualTo(9);

            topic.put(policy("p", 40), 12);
            topic.put(policy("p", 30), 9);
            topic.put(policy("r", 1), 12);
            eventually("what came last is in effect").until(() -> isLimit("2", "r:1"));
            assertThat(Asked.limits(live, "1")).containsExactly("p:40", "r:1");
            assertThat(live.status().refused()).containsEntry("stale", 1L);

            topic.send("revision", "{}", 14);
            eventually("a marker moves the revision").until(() -> live.status().revision() == 14);
            topic.put(policy("p", 60), 15);
            topic.send("revision", "14", 15);
            eventually("a part of a set applies").until(() -> isLimit("2", "p:60"));
            assertThat(live.status().revision()).as("the set is not whole yet").isEqualTo(14);
            topic.send("revision", "15", 15);
            eventually("then it is").until(() -> live.status().revision() == 15);
            topic.put(policy("p", 50));
            eventually("what has no revision applies").until(() -> isLimit("2", "p:50"));
            assertThat(live.status().revision()).isEqualTo(15);
            assertThat(live.status().refused()).doesNotContainKey("unknown");
        }
    }

    @Test
    void a_topic_that_does_not_exist_yet_is_waited_for_and_one_created_anew_is_read_anew() throws Exception {
        try (TopicSource source = source(TimeSource.system())) {
            source.start();
            assertThat(source.awaitLoaded(Duration.ofMillis(500))).isFalse();
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);

            topic.create(1);
            eventually("the empty topic is in effect").until(() -> live.status().origin() == RuleOrigin.TOPIC);
            assertThat(Asked.limits(live, "1")).isEmpty();
            topic.put(policy("p", 10));
            topic.put(policy("q", 10));
            topic.put(policy("r", 10));
            eventually("the policies are in effect")
                    .until(() -> Asked.limits(live, "1").size() == 3);

            topic.delete();
            topic.create(1);
            topic.put(policy("s", 7));
            eventually("the new topic alone is in effect")
                    .until(() -> Asked.limits(live, "1").equals(List.of("s:7")));
        }
    }

    @Test
    void a_topic_created_anew_takes_no_rule_away_until_it_is_said_to_be_whole_again() throws Exception {
        topic.create(1);
        topic.put(policy("p", 10));
        topic.put(policy("q", 10));
        topic.put(list(ListKind.DENY, "1"));
        topic.flush();
        try (TopicSource source = source(TimeSource.system())) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();

            topic.delete();
            topic.createUntold(1);
            topic.put(policy("p", 20));
            isReadOn();
            assertThat(Asked.limits(live, "2")).containsExactly("p:10", "q:10");
            assertThat(isBarred("1")).isTrue();

            topic.tellWhole();
            eventually("changes and removals are in effect")
                    .until(() -> Asked.limits(live, "2").equals(List.of("p:20")));
            assertThat(isBarred("1")).isFalse();
            topic.put(policy("r", 7));
            eventually("what follows is a change").until(() -> isLimit("2", "r:7"));
        }
    }

    @Test
    void after_a_restart_the_copy_is_in_effect_until_the_topic_is_said_to_be_whole(@TempDir Path folder)
            throws Exception {
        RuleSetBuilder rules = new RuleSetBuilder();
        rules.apply(new RuleEntry.Change.Put(policy("p", 10)));
        CopyWriter.write(folder.resolve("copy"), rules.publish(), 0, 3);
        assertThat(new LastKnownGood(folder.resolve("copy"), live).load()).isTrue();
        topic.createUntold(1);
        try (TopicSource source = source()) {
            source.start();
            isReadOn();
            assertThat(Asked.limits(live, "1")).containsExactly("p:10");
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.COPY);

            topic.put(policy("q", 5));
            topic.tellWhole();
            eventually("the topic is in effect")
                    .until(() -> Asked.limits(live, "1").equals(List.of("q:5")));
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.TOPIC);
        }
    }

    @Test
    void what_is_said_of_another_topic_of_the_name_does_not_count() throws Exception {
        topic.createUntold(1);
        topic.put(policy("p", 10));
        topic.sendOfTopic("revision", "9", "AAAAAAAAAAAAAAAAAAAAAA");
        try (TopicSource source = source()) {
            source.start();
            isReadOn();
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);
        }
    }

    @Test
    void a_topic_created_anew_that_has_as_many_records_is_read_anew() throws Exception {
        topic.create(1);
        topic.put(policy("p", 10));
        topic.put(policy("q", 10));
        topic.flush();
        try (TopicSource source = source(TimeSource.system())) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();

            kafka.link().cut();
            topic.delete();
            topic.create(1);
            topic.put(policy("p", 20));
            topic.put(policy("r", 20));
            topic.flush();
            kafka.link().heal();
            eventually("the new topic alone is in effect")
                    .until(() -> Asked.limits(live, "1").equals(List.of("p:20", "r:20")));
        }
    }

    /** Waits until the source has read what the topic has now: the second of two records that it skips comes after whatever it put into effect. */
    private void isReadOn() {
        for (int i = 0; i < 2; i++) {
            long skipped = live.status().refused().getOrDefault("unknown", 0L);
            topic.send("planet/earth", "{}");
            topic.flush();
            eventually("it is read").until(() -> live.status().refused().getOrDefault("unknown", 0L) > skipped);
        }
    }

    @Test
    void a_source_that_is_up_to_date_is_confirmed_and_one_that_is_away_is_not() throws Exception {
        topic.create(1);
        topic.put(policy("p", 10));
        topic.flush();
        try (TopicSource source = source()) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();
            Object rulebook = live.current();
            long changed = live.status().changedMicros();
            for (int i = 0; i < 2; i++) {
                time.pass(LONGER_THAN_A_CONFIRMATION_MICROS);
                eventually("it is confirmed").until(() -> live.status().confirmedMicros() == time.wallMicros());
            }
            assertThat(live.current()).isSameAs(rulebook);

            kafka.link().cut();
            long confirmed = live.status().confirmedMicros();
            time.pass(LONGER_THAN_A_CONFIRMATION_MICROS);
            long asked = time.asked();
            // Once to see that a confirmation is due, and once after it was tried.
            eventually("a confirmation was tried").until(() -> time.asked() >= asked + 2);
            assertThat(live.status().confirmedMicros()).isEqualTo(confirmed);
            assertThat(live.status().ageMicros(time.wallMicros())).isEqualTo(LONGER_THAN_A_CONFIRMATION_MICROS);
            assertThat(live.status().changedMicros()).isEqualTo(changed);
            assertThat(Asked.limits(live, "1")).containsExactly("p:10");

            kafka.link().heal();
            eventually("it is confirmed again").until(() -> live.status().confirmedMicros() == time.wallMicros());
        }
    }

    @Test
    void after_long_without_contact_the_topic_is_read_anew() throws Exception {
        topic.create(1);
        topic.put(policy("p", 10));
        topic.flush();
        try (TopicSource source = source()) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();
            Object rulebook = live.current();

            time.pass(TimeUnit.MINUTES.toMicros(59));
            eventually("it is confirmed").until(() -> live.status().confirmedMicros() == time.wallMicros());
            assertThat(live.current()).isSameAs(rulebook);

            time.pass(TimeUnit.MINUTES.toMicros(61));
            eventually("it is read anew").until(() -> live.current() != rulebook);
            assertThat(Asked.limits(live, "1")).containsExactly("p:10");
        }
    }

    @Test
    void many_entries_are_loaded_as_one_rulebook() throws Exception {
        topic.create(1);
        for (int i = 0; i < ENTRIES; i++) {
            topic.put(new RuleEntry.OfList(
                    ListKind.DENY, new ListEntry(new Identifier("api_key", "key-" + i), "", Expiry.NEVER)));
        }
        topic.put(policy("p", 10));
        topic.flush();
        try (TopicSource source = source()) {
            source.start();
            while (!source.awaitLoaded(Duration.ofMillis(20))) {
                RulesStatus status = live.status();
                if (status.origin() != RuleOrigin.DEFAULTS) {
                    assertThat(status.clientEntries())
                            .as("nothing is in effect before all is")
                            .isEqualTo(ENTRIES);
                }
            }
            System.out.println("a topic of " + ENTRIES + " entries takes "
                    + (live.rules().denied().bytes() >> 20) + " MiB");
            assertThat(live.status().clientEntries()).isEqualTo(ENTRIES);
            assertThat(Asked.listing(live, "api_key", "key-0")).isInstanceOf(Listing.Barred.class);
            assertThat(Asked.listing(live, "api_key", "key-" + ENTRIES)).isInstanceOf(Listing.Unlisted.class);

            topic.remove(new RuleEntry.Key.OfList(ListKind.DENY, new Identifier("api_key", "key-0")));
            eventually("the removal is in effect")
                    .until(() -> Asked.listing(live, "api_key", "key-0") instanceof Listing.Unlisted);
            assertThat(live.status().clientEntries()).isEqualTo(ENTRIES - 1);
        }
    }

    private TopicSource source() {
        return source(time);
    }

    private TopicSource source(TimeSource clock) {
        return new TopicSource(TopicSource.settings(Map.of(), kafka.bootstrapServers()), topic.name(), live, clock);
    }

    private boolean isLimit(String userId, String limit) {
        return Asked.limits(live, userId).contains(limit);
    }

    private boolean isBarred(String userId) {
        return Asked.listing(live, "user_id", userId) instanceof Listing.Barred;
    }

    private static RuleEntry policy(String id, long limit) {
        return new RuleEntry.OfPolicy(
                Policy.of(id, KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, limit, Window.Span.ofSeconds(60)));
    }

    private static RuleEntry list(ListKind kind, String userId) {
        return new RuleEntry.OfList(kind, new ListEntry(new Identifier("user_id", userId), "", Expiry.NEVER));
    }
}
