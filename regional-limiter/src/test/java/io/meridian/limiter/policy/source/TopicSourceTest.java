package io.meridian.limiter.policy.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.policy.LiveRulebooks;
import io.meridian.limiter.policy.RuleOrigin;
import io.meridian.limiter.policy.Rulebook.Listing;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.rulebook.Expiry;
import io.meridian.model.rulebook.Identifier;
import io.meridian.model.rulebook.LimitOverride;
import io.meridian.model.rulebook.ListEntry;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.FreePorts;
import io.meridian.stack.server.KafkaListener;
import io.meridian.stack.server.KafkaServer;
import io.meridian.stack.server.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The topic source against a Kafka of its own. */
@Timeout(300)
class TopicSourceTest {
    private static final Duration LOADED_WITHIN = Duration.ofMinutes(2);
    private static final Identifier USER = new Identifier("user_id", "1");

    private final KafkaSettings settings;
    private final LiveRulebooks live = new LiveRulebooks("us-east", TimeSource.system());
    private KafkaServer server;
    private PolicyTopic topic;

    TopicSourceTest(@TempDir Path folder) {
        int port = FreePorts.take();
        this.settings = new KafkaSettings(
                folder.resolve("kafka"),
                folder.resolve("kafka.log"),
                FreePorts.take(),
                FreePorts.take(),
                List.of(new KafkaListener("clients", port, port)));
        this.server = KafkaServer.start(settings);
        this.topic = new PolicyTopic(server.bootstrapServers("clients"));
    }

    @BeforeEach
    void startsWithWhatIsBuiltIn() {
        live.replace(BuiltInPolicies.read(), RuleOrigin.DEFAULTS, false);
    }

    @AfterEach
    void stop() {
        topic.close();
        server.close();
    }

    @Test
    void what_the_topic_says_is_in_effect_and_stays_so_while_kafka_is_away() throws Exception {
        topic.create(3);
        topic.put(policy("p", 10));
        topic.put(policy("p", 20));
        topic.put(policy("q", 5));
        topic.remove(new EntryKey.OfPolicy("q"));
        topic.put(new Entry.OfOverride(new LimitOverride("p", USER, 30, 0, Expiry.NEVER)));
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
            Eventually.holds("the change is in effect", () -> isLimit("2", "p:40"));
            topic.put(list(ListKind.DENY, "1"));
            Eventually.holds("the denial is in effect", () -> isBarred("1"));

            server.close();
            assertThat(isBarred("1")).isTrue();
            server = KafkaServer.start(settings);
            topic.remove(new EntryKey.OfList(ListKind.DENY, USER));
            topic.put(policy("p", 50));
            Eventually.holds("what came after the outage is in effect", () -> isLimit("2", "p:50") && !isBarred("1"));
            assertThat(Asked.limits(live, "1")).containsExactly("p:30");
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
            Eventually.holds("what came last is in effect", () -> isLimit("2", "r:1"));
            assertThat(Asked.limits(live, "1")).containsExactly("p:40", "r:1");
            assertThat(live.status().refused()).containsEntry("stale", 1L);

            topic.send("revision", "{}", 14);
            Eventually.holds("a marker moves the revision", () -> live.status().revision() == 14);
            topic.put(policy("p", 60), 15);
            topic.send("revision", "14", 15);
            Eventually.holds("a part of a set applies", () -> isLimit("2", "p:60"));
            assertThat(live.status().revision()).as("the set is not whole yet").isEqualTo(14);
            topic.send("revision", "15", 15);
            Eventually.holds("then it is", () -> live.status().revision() == 15);
            topic.put(policy("p", 50));
            Eventually.holds("what has no revision applies", () -> isLimit("2", "p:50"));
            assertThat(live.status().revision()).isEqualTo(15);
            assertThat(live.status().refused()).doesNotContainKey("unknown");
        }
    }

    @Test
    void a_topic_that_does_not_exist_yet_is_waited_for_and_one_created_anew_is_read_anew() throws Exception {
        try (TopicSource source = source()) {
            source.start();
            assertThat(source.awaitLoaded(Duration.ofSeconds(1))).isFalse();
            assertThat(live.status().origin()).isEqualTo(RuleOrigin.DEFAULTS);

            topic.create(1);
            Eventually.holds("the empty topic is in effect", () -> live.status().origin() == RuleOrigin.TOPIC);
            assertThat(Asked.limits(live, "1")).isEmpty();
            topic.put(policy("p", 10));
            topic.put(policy("q", 10));
            topic.put(policy("r", 10));
            Eventually.holds(
                    "the policies are in effect", () -> Asked.limits(live, "1").size() == 3);

            topic.delete();
            topic.create(1);
            topic.put(policy("s", 7));
            Eventually.holds("the new topic alone is in effect", () -> Asked.limits(live, "1")
                    .equals(List.of("s:7")));
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
            long first = live.status().confirmedMicros();
            Eventually.holds("it is confirmed again", () -> live.status().confirmedMicros() > first);
            long second = live.status().confirmedMicros();
            Eventually.holds("and again", () -> live.status().confirmedMicros() > second);
            assertThat(live.current()).isSameAs(rulebook);
            long changed = live.status().changedMicros();

            server.close();
            long gone = TimeSource.system().wallMicros();
            Eventually.holds(
                    "it ages", () -> live.status().ageMicros(TimeSource.system().wallMicros()) > 3_000_000);
            assertThat(live.status().confirmedMicros()).isLessThan(gone + 2_500_000);
            assertThat(live.status().changedMicros()).isEqualTo(changed);
            assertThat(Asked.limits(live, "1")).containsExactly("p:10");
        }
    }

    @Test
    void after_long_without_contact_the_topic_is_read_anew() throws Exception {
        topic.create(1);
        topic.put(policy("p", 10));
        topic.flush();
        SetTime time = new SetTime();
        try (TopicSource source = source(time)) {
            source.start();
            assertThat(source.awaitLoaded(LOADED_WITHIN)).isTrue();
            Object rulebook = live.current();

            time.pass(TimeUnit.MINUTES.toMicros(59));
            long before = live.status().confirmedMicros();
            Eventually.holds("it is confirmed", () -> live.status().confirmedMicros() > before);
            assertThat(live.current()).isSameAs(rulebook);

            time.pass(TimeUnit.MINUTES.toMicros(61));
            Eventually.holds("it is read anew", () -> live.current() != rulebook);
            assertThat(Asked.limits(live, "1")).containsExactly("p:10");
        }
    }

    @Test
    void a_million_entries_are_loaded_as_one_rulebook() throws Exception {
        topic.create(1);
        for (int i = 0; i < 1_000_000; i++) {
            topic.put(new Entry.OfList(
                    ListKind.DENY, new ListEntry(new Identifier("api_key", "key-" + i), "", Expiry.NEVER)));
        }
        topic.put(policy("p", 10));
        topic.flush();
        long start = TimeSource.system().monotonicNanos();
        try (TopicSource source = source()) {
            source.start();
            while (!source.awaitLoaded(Duration.ofMillis(50))) {
                assertThat(live.status().origin())
                        .as("nothing is in effect before all is")
                        .isEqualTo(RuleOrigin.DEFAULTS);
            }
            long loadedMillis = (TimeSource.system().monotonicNanos() - start) / 1_000_000;
            System.out.println("a topic of 1,000,000 entries is in effect after " + loadedMillis + " ms, taking "
                    + (live.rules().denied().bytes() >> 20) + " MiB");
            assertThat(live.status().clientEntries()).isEqualTo(1_000_000);
            assertThat(Asked.listing(live, "api_key", "key-0")).isInstanceOf(Listing.Barred.class);
            assertThat(Asked.listing(live, "api_key", "key-1000000")).isInstanceOf(Listing.Unlisted.class);

            topic.remove(new EntryKey.OfList(ListKind.DENY, new Identifier("api_key", "key-0")));
            Eventually.holds(
                    "the removal is in effect",
                    () -> Asked.listing(live, "api_key", "key-0") instanceof Listing.Unlisted);
            assertThat(live.status().clientEntries()).isEqualTo(999_999);
        }
    }

    private TopicSource source() {
        return source(TimeSource.system());
    }

    private TopicSource source(TimeSource time) {
        return new TopicSource(
                TopicSettings.of(Map.of(), server.bootstrapServers("clients")), PolicyTopic.NAME, live, time);
    }

    private boolean isLimit(String userId, String limit) {
        return Asked.limits(live, userId).contains(limit);
    }

    private boolean isBarred(String userId) {
        return Asked.listing(live, "user_id", userId) instanceof Listing.Barred;
    }

    private static Entry policy(String id, long limit) {
        return new Entry.OfPolicy(
                Policy.of(id, KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, limit, Window.Span.ofSeconds(60)));
    }

    private static Entry list(ListKind kind, String userId) {
        return new Entry.OfList(kind, new ListEntry(new Identifier("user_id", userId), "", Expiry.NEVER));
    }
}
