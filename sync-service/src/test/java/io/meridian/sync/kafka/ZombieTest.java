package io.meridian.sync.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.leader.OutOfTurn;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.KafkaUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A leader that stood still while another took over, and then goes on where it stood. */
@ExtendWith(SharedKafka.class)
@Timeout(1_200)
class ZombieTest {
    private static final int TURNS = TestAmounts.of(8, 30);
    private final KafkaUnderTest kafka;

    ZombieTest(KafkaUnderTest kafka) {
        this.kafka = kafka;
    }

    @Test
    void a_zombie_commits_nothing() {
        try (Stand stand = new Stand(kafka, 2)) {
            Actor zombie = succeeded(stand, true);

            OutOfTurn.tick(zombie.replica().core());

            assertThat(stand.verdicts())
                    .extracting(VerdictRecord::epoch)
                    .doesNotContain(1L)
                    .contains(2L);
            assertThat(zombie.count("meridian.sync.fenced")).isEqualTo(1);
            assertThat(zombie.at(PartitionState.Role.LEADER)).isEmpty();
        }
    }

    @Test
    void without_the_fence_it_would_commit() {
        try (Stand stand = new Stand(kafka, 2)) {
            Actor zombie = succeeded(stand, false);

            OutOfTurn.tick(zombie.replica().core());

            assertThat(stand.verdicts()).extracting(VerdictRecord::epoch).contains(1L, 2L);
            assertThat(zombie.count("meridian.sync.fenced")).isZero();
        }
    }

    @Test
    void a_zombie_that_was_refused_goes_on_as_a_member_like_any_other() {
        try (Stand stand = new Stand(kafka, 2)) {
            // Its heart beats, so that it learns that it was removed.
            Actor zombie = leader(stand, 2, true, "heartbeat", "0.3S");
            Actor successor = successor(stand);
            OutOfTurn.tick(zombie.replica().core());
            stand.leave(successor);
            // The broker would end the refused transaction, past which nobody can read, only after ten minutes.
            Actor third = stand.replica("c");

            stand.until(
                    "one leads each",
                    () -> zombie.at(PartitionState.Role.LEADER).size()
                                    + third.at(PartitionState.Role.LEADER).size()
                            == 2,
                    zombie,
                    third);
        }
    }

    /** Records that are in the log hold readers back until their transaction ends: the broker would end it only after ten minutes. */
    @Test
    void a_refused_transaction_whose_records_are_in_the_log_holds_no_successor_back() {
        try (Stand stand = new Stand(kafka, 1)) {
            Actor leader = leader(stand, 1, true);
            SyncConfig config =
                    Actor.config(stand.settings("stranger", "transaction-timeout", "600S", "answer-within", "120S"));
            Producer<byte[], byte[]> producer = new KafkaClients(Map.of(), config).producer();
            Supplier<ConsumerGroupMetadata> nobody = () -> {
                producer.flush();
                return new ConsumerGroupMetadata(config.group(), 1, "nobody", Optional.empty());
            };
            TopicPair topics = new TopicPair(config.usageTopic(), config.verdictsTopic(), 1);
            try (VerdictPublisher stranger = new VerdictPublisher(() -> producer, nobody, topics, true)) {
                assertThat(stranger.publish(OutOfTurn.due(leader.replica().core())))
                        .isEqualTo(TransactionOutcome.REFUSED);
            }
            stand.leave(leader);
            Actor successor = stand.replica("successor");

            stand.until(
                    "it leads", () -> successor.at(PartitionState.Role.LEADER).size() == 1, successor);
        }
    }

    @Test
    void a_successor_waits_for_a_transaction_that_had_passed_the_fence() {
        try (Stand stand = new Stand(kafka, 1)) {
            Actor zombie = leader(stand, 1, true);
            PartitionBatch due = OutOfTurn.due(zombie.replica().core()).get(0);
            Producer<byte[], byte[]> pending = zombie.replica().publisher().begin(List.of(silent(due)));

            stand.removeMembers();
            Actor successor = stand.replica("successor");
            stand.until(
                    "it is a candidate",
                    () -> successor.at(PartitionState.Role.CANDIDATE).size() == 1,
                    successor);
            for (int turn = 0; turn < TURNS; turn++) {
                successor.step();
                assertThat(successor.at(PartitionState.Role.LEADER)).isEmpty();
            }
            VerdictPublisher.records(due, stand.verdictsTopic()).forEach(record -> {
                var unused = pending.send(record);
            });
            pending.commitTransaction();
            stand.until("it has published", () -> successor.count("meridian.sync.verdicts.published") > 0, successor);

            assertThat(successor.aggregates().get(0).verdictsBeforePublishing()).isEqualTo(1);
            assertThat(stand.verdicts()).extracting(VerdictRecord::epoch).containsExactly(1L, 2L);
        }
    }

    /** Offsets and no records: nothing in the topic of verdicts holds its readers back. */
    private static PartitionBatch silent(PartitionBatch batch) {
        return new PartitionBatch(batch.partition(), batch.usagePosition(), null, List.of(), List.of());
    }

    /** A leader with something to publish, whom another has succeeded without its knowing. */
    private static Actor succeeded(Stand stand, boolean fenced) {
        Actor zombie = leader(stand, 2, fenced);
        Actor unused = successor(stand);
        return zombie;
    }

    /** One that leads in place of all who were members before. */
    private static Actor successor(Stand stand) {
        stand.removeMembers();
        Actor successor = stand.replica("successor");
        stand.until(
                "another leads all",
                () -> successor.at(PartitionState.Role.LEADER).size() == 2,
                successor);
        stand.until("it has answered", () -> successor.count("meridian.sync.verdicts.published") > 0, successor);
        return successor;
    }

    /**
     * A leader with something to publish that it has not published, because its time has not come: only its first beat. Its heart beats so
     * rarely that it does not learn who is removed from the group, and only the broker can refuse it.
     */
    private static Actor leader(Stand stand, int partitions, boolean fenced, String... settings) {
        List<String> silent = new ArrayList<>(List.of("tick-min", "3600S", "tick", "3600S", "heartbeat", "300S"));
        silent.addAll(List.of(settings));
        Actor leader = stand.replica("zombie", fenced, silent.toArray(String[]::new));
        stand.until("it leads all", () -> leader.at(PartitionState.Role.LEADER).size() == partitions, leader);
        OutOfTurn.tick(leader.replica().core());
        assertThat(leader.count("meridian.sync.transactions", "outcome", "committed"))
                .isEqualTo(1);
        stand.report(0, "key");
        stand.until("it has read it", () -> leader.aggregates().get(0).size() == 1, leader);
        return leader;
    }
}
