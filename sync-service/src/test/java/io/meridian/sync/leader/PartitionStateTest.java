package io.meridian.sync.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.leader.PartitionState.Phase;
import io.meridian.sync.leader.PartitionState.Role;
import org.junit.jupiter.api.Test;

class PartitionStateTest {
    private static final AggregatorRules RULES =
            new AggregatorRules(1_000_000, 1_000_000, 1_000_000, KeySecret.parse("000102030405060708090a0b0c0d0e0f"));
    private final PartitionState partition = new PartitionState(3, new Aggregator(RULES));

    @Test
    void a_standby_does_not_measure_what_another_answers() {
        partition.arrived("eu-west", 1);

        partition.assigned();
        partition.arrived("us-east", 2);

        assertThat(partition.arrivals().take()).containsExactly(new PartitionState.Arrivals.Arrival("us-east", 2));
    }

    @Test
    void of_a_flood_only_the_first_are_measured() {
        partition.assigned();
        for (int i = 0; i <= PartitionState.Arrivals.MAX; i++) {
            partition.arrived("eu-west", i);
        }

        assertThat(partition.arrivals().take()).hasSize(PartitionState.Arrivals.MAX);
    }

    @Test
    void a_leader_leads_in_an_epoch_in_which_nobody_has_published() {
        partition.applyBeat(new LeaderBeat(6, "other", 1));
        partition.assigned();

        partition.lead(new Phase.CatchingUp(0, 0), 0);

        assertThat(partition.phase()).isEqualTo(new Phase.Leader(7));
    }

    @Test
    void who_leads_is_told_by_the_highest_epoch() {
        partition.applyBeat(new LeaderBeat(6, "new", 1));
        partition.applyBeat(new LeaderBeat(5, "old", 2));

        assertThat(partition.beat()).isEqualTo(new LeaderBeat(6, "new", 1));
    }

    @Test
    void a_leader_in_doubt_takes_over_anew_and_one_that_lost_its_place_reads_along() {
        partition.assigned();
        partition.lead(new Phase.CatchingUp(0, 0), 0);

        partition.doubted();
        assertThat(partition.role()).isEqualTo(Role.CANDIDATE);

        partition.lost();
        assertThat(partition.role()).isEqualTo(Role.STANDBY);
    }

    @Test
    void a_candidate_has_caught_up_when_both_topics_are_read_to_their_ends() {
        Phase.CatchingUp phase = new Phase.CatchingUp(10, 20);

        assertThat(phase.isDone(10, 19)).isFalse();
        assertThat(phase.isDone(9, 20)).isFalse();
        assertThat(phase.isDone(10, 20)).isTrue();
    }
}
