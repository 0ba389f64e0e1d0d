package io.meridian.sync.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.wire.LeaderBeat;
import org.junit.jupiter.api.Test;

class PartitionTest {
    private final Partition partition = new Partition(3, new FakeBook());

    @Test
    void a_standby_does_not_measure_what_another_answers() {
        partition.arrived("eu-west", 1);

        partition.assigned();
        partition.arrived("us-east", 2);

        assertThat(partition.arrivals().take()).containsExactly(new Arrivals.Arrival("us-east", 2));
    }

    @Test
    void of_a_flood_only_the_first_are_measured() {
        partition.assigned();
        for (int i = 0; i <= Arrivals.MAX; i++) {
            partition.arrived("eu-west", i);
        }

        assertThat(partition.arrivals().take()).hasSize(Arrivals.MAX);
    }

    @Test
    void a_leader_leads_in_an_epoch_that_nobody_has_spoken_in() {
        partition.beat(new LeaderBeat(6, "other", 1));
        partition.assigned();

        partition.lead(new Place.CatchingUp(0, 0), 0);

        assertThat(partition.place()).isEqualTo(new Place.Leader(7));
    }

    @Test
    void who_leads_is_told_by_the_highest_epoch() {
        partition.beat(new LeaderBeat(6, "new", 1));
        partition.beat(new LeaderBeat(5, "old", 2));

        assertThat(partition.beat()).isEqualTo(new LeaderBeat(6, "new", 1));
    }

    @Test
    void a_leader_in_doubt_takes_over_anew_and_one_that_lost_its_place_reads_along() {
        partition.assigned();
        partition.lead(new Place.CatchingUp(0, 0), 0);

        partition.doubted();
        assertThat(partition.role()).isEqualTo(Role.CANDIDATE);

        partition.lost();
        assertThat(partition.role()).isEqualTo(Role.STANDBY);
    }

    @Test
    void a_candidate_has_caught_up_when_both_topics_are_read_to_their_ends() {
        Place.CatchingUp place = new Place.CatchingUp(10, 20);

        assertThat(place.isDone(10, 19)).isFalse();
        assertThat(place.isDone(9, 20)).isFalse();
        assertThat(place.isDone(10, 20)).isTrue();
    }
}
