package io.meridian.sync.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.leader.PartitionState.Role;
import io.meridian.testkit.servers.KafkaUnderTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** KafkaReplica.Factory on a real Kafka: who leads what, from when on, and until when. */
@ExtendWith(SharedKafka.class)
@Timeout(1_200)
class LeadershipTest {
    private final KafkaUnderTest kafka;

    LeadershipTest(KafkaUnderTest kafka) {
        this.kafka = kafka;
    }

    @Test
    void two_replicas_share_the_partitions_and_each_has_one_leader() {
        try (Stand stand = new Stand(kafka, 4)) {
            Actor a = stand.replica("a");
            Actor b = stand.replica("b");

            stand.until("each leads two", () -> leads(a, 2) && leads(b, 2), a, b);

            assertThat(Stream.concat(a.at(Role.LEADER).stream(), b.at(Role.LEADER).stream()))
                    .containsExactlyInAnyOrder(0, 1, 2, 3);
        }
    }

    @Test
    void any_replica_knows_who_leads_every_partition() {
        try (Stand stand = new Stand(kafka, 4)) {
            Actor a = stand.replica("a");
            Actor b = stand.replica("b");

            stand.until("each leads two", () -> leads(a, 2) && leads(b, 2), a, b);
            stand.until("a knows of b", () -> leadersKnownBy(a).equals(List.of("a", "a", "b", "b")), a, b);
            stand.until("b knows of a", () -> leadersKnownBy(b).equals(List.of("a", "a", "b", "b")), a, b);
        }
    }

    @Test
    void a_replica_that_leaves_hands_over_without_waiting_for_its_session_to_end() {
        try (Stand stand = new Stand(kafka, 4)) {
            Actor a = stand.replica("a");
            Actor b = stand.replica("b");
            stand.until("each leads two", () -> leads(a, 2) && leads(b, 2), a, b);

            stand.leave(a);

            // Its session would end long after the deadline of this wait.
            stand.until("b leads all", () -> leads(b, 4), b);
        }
    }

    @Test
    void the_epoch_grows_with_every_takeover() {
        try (Stand stand = new Stand(kafka, 1)) {
            for (String name : List.of("a", "b", "c")) {
                Actor replica = stand.replica(name);
                stand.until("a beat of " + name, () -> leadersKnownBy(replica).equals(List.of(name)), replica);
                stand.leave(replica);
            }

            assertThat(stand.beats().stream()
                            .map(each -> each.replica() + each.epoch())
                            .distinct())
                    .containsExactly("a1", "b2", "c3");
        }
    }

    @Test
    void a_leader_beats_though_there_is_nothing_to_publish() {
        try (Stand stand = new Stand(kafka, 1)) {
            Actor a = stand.replica("a", "beat", "0.05S", "tick", "0.01S");

            stand.until("three beats", () -> a.count("meridian.sync.transactions", "outcome", "committed") >= 3, a);

            assertThat(stand.beats())
                    .hasSizeGreaterThanOrEqualTo(3)
                    .extracting(LeaderBeat::epoch)
                    .containsOnly(1L);
        }
    }

    @Test
    void usage_is_answered_and_the_loop_is_measured() {
        try (Stand stand = new Stand(kafka, 4)) {
            Actor a = stand.replica("a");
            stand.until("a leads all", () -> leads(a, 4), a);

            stand.report(2, "key");
            stand.until("a verdict", () -> a.count("meridian.sync.verdicts.published") >= 1, a);

            assertThat(stand.verdicts()).singleElement().satisfies(verdict -> {
                assertThat(verdict.limit().key()).isEqualTo("key");
                assertThat(verdict.epoch()).isEqualTo(1);
            });
            assertThat(a.regions().status()).singleElement().satisfies(region -> {
                assertThat(region.region()).isEqualTo("eu-west");
                assertThat(region.loopDelay()).isNotNull();
                assertThat(region.clockSkewMicros()).isNotNull();
            });
        }
    }

    @Test
    void what_cannot_be_read_is_skipped_and_what_follows_is_applied() {
        try (Stand stand = new Stand(kafka, 1)) {
            byte[] junk = "junk".getBytes(StandardCharsets.US_ASCII);
            stand.send(true, 0, junk, junk);
            stand.send(true, 0, junk, null);
            stand.send(false, 0, junk, null);
            Actor a = stand.replica("a");
            stand.report(0, "key");

            stand.until("a verdict", () -> a.count("meridian.sync.verdicts.published") >= 1, a);

            assertThat(a.count("meridian.sync.records.unreadable")).isEqualTo(1);
        }
    }

    @Test
    void a_replica_with_an_empty_memory_reads_both_topics_before_it_publishes() {
        try (Stand stand = new Stand(kafka, 1)) {
            for (int i = 0; i < 50; i++) {
                stand.report(0, "key" + i);
                stand.publishAsOf(7, 0, "key" + i);
            }
            Actor a = stand.replica("a");

            stand.until("a leads", () -> leads(a, 1), a);
            stand.until("a has published", () -> leadersKnownBy(a).equals(List.of("a")), a);

            assertThat(a.aggregates().get(0).appliedBeforePublishing()).isEqualTo(50);
            assertThat(a.aggregates().get(0).verdictsBeforePublishing()).isEqualTo(50);
            assertThat(stand.beats().get(0).epoch()).isEqualTo(8);
        }
    }

    @Test
    void every_leader_knows_the_regions_that_announced_themselves_before_it_started() {
        try (Stand stand = new Stand(kafka, 1)) {
            RegionAnnouncement announcement = new RegionAnnouncement(new RegionIncarnation("sa-east", 1), 1);
            stand.send(true, 0, announcement.key(), announcement.value());
            Actor a = stand.replica("a");
            stand.until("a leads", () -> leads(a, 1), a);
            assertThat(a.aggregates().get(0).announced()).containsExactly(announcement.incarnation());
            stand.leave(a);

            Actor b = stand.replica("b");
            stand.until("b leads", () -> leads(b, 1), b);

            assertThat(b.aggregates().get(0).announced()).containsExactly(announcement.incarnation());
        }
    }

    private static boolean leads(Actor actor, int partitions) {
        return actor.at(Role.LEADER).size() == partitions;
    }

    private static List<String> leadersKnownBy(Actor actor) {
        return actor.replica().state().partitions().stream()
                .map(PartitionState::beat)
                .flatMap(Stream::ofNullable)
                .map(LeaderBeat::replica)
                .sorted()
                .toList();
    }
}
