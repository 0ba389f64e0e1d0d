package io.meridian.sync.aggregate;

import static io.meridian.sync.aggregate.Facts.EAST;
import static io.meridian.sync.aggregate.Facts.EU;
import static io.meridian.sync.aggregate.Facts.SECOND;
import static io.meridian.sync.aggregate.Facts.WEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FloorRightsTest {
    private static final long NOW = Facts.START;
    private static final long AHEAD = 600 * SECOND;
    private static final long NOTHING_GRANTED = -1;
    private static final RegionIncarnation EAST_REBORN = new RegionIncarnation("us-east", 2);

    private final FloorRights rights = new FloorRights();

    @Test
    void in_a_world_without_grants_all_regions_have_floors_in_the_windows_that_are_open() {
        List<FloorRight> due = due(NOW, NOTHING_GRANTED, 8, EAST, WEST);

        assertThat(due).containsExactly(right(EAST, 0, 8, 0, NOW + AHEAD), right(WEST, 1, 8, 0, NOW + AHEAD));
    }

    @Test
    void a_region_that_joins_has_no_floor_in_a_window_of_which_something_was_granted() {
        commit(due(NOW, NOTHING_GRANTED, 8, EAST));

        List<FloorRight> due = due(NOW + SECOND, NOW, 8, EAST, WEST);

        assertThat(due).containsExactly(right(WEST, 1, 8, NOW + 1, NOW + SECOND + AHEAD));
    }

    @Test
    void a_range_is_extended_before_it_ends_and_not_at_every_tick() {
        commit(due(NOW, NOTHING_GRANTED, 8, EAST));

        assertThat(due(NOW + AHEAD / 20, NOW, 8, EAST)).isEmpty();
        assertThat(due(NOW + AHEAD / 5, NOW, 8, EAST)).containsExactly(right(EAST, 0, 8, 0, NOW + AHEAD / 5 + AHEAD));
    }

    @Test
    void a_region_that_was_silent_beyond_its_range_gets_another_after_what_was_granted_meanwhile() {
        commit(due(NOW, NOTHING_GRANTED, 8, EAST));
        long later = NOW + 2 * AHEAD;

        assertThat(due(later, later - SECOND, 8, EAST))
                .containsExactly(right(EAST, 0, 8, later - SECOND + 1, later + AHEAD));
        assertThat(due(later, NOW, 8, EAST))
                .as("nothing was granted beyond it")
                .containsExactly(right(EAST, 0, 8, 0, later + AHEAD));
    }

    @Test
    void the_range_of_a_new_incarnation_begins_where_that_of_the_one_before_ends() {
        commit(due(NOW, NOTHING_GRANTED, 8, EAST));

        assertThat(due(NOW, NOTHING_GRANTED, 8, EAST_REBORN))
                .as("it would be empty")
                .isEmpty();
        assertThat(due(NOW + SECOND, NOTHING_GRANTED, 8, EAST_REBORN))
                .containsExactly(right(EAST_REBORN, 0, 8, NOW + AHEAD, NOW + SECOND + AHEAD));
    }

    @Test
    void more_regions_than_places_have_no_floor() {
        assertThat(due(NOW, NOTHING_GRANTED, 2, EAST, WEST, EU))
                .extracting(FloorRight::incarnation)
                .containsExactly(EAST, WEST);
    }

    @Test
    void another_number_of_places_begins_where_all_ranges_of_the_old_one_have_ended() {
        commit(due(NOW, NOTHING_GRANTED, 8, EAST));
        commit(due(NOW + SECOND, NOTHING_GRANTED, 8, EAST, WEST));
        long lastEnd = NOW + SECOND + AHEAD;

        assertThat(due(NOW + AHEAD / 2, NOW, 16, EAST, WEST))
                .containsExactly(
                        right(EAST, 0, 16, lastEnd, NOW + AHEAD / 2 + AHEAD),
                        right(WEST, 1, 16, lastEnd, NOW + AHEAD / 2 + AHEAD));
    }

    @Test
    void under_another_secret_floors_begin_where_all_ranges_of_the_old_one_have_ended() {
        rights.take(new FloorRight(EAST, 0, 8, 0, NOW + AHEAD, Facts.SECRET.checkValue() + 1));

        assertThat(due(NOW + AHEAD / 2, NOTHING_GRANTED, 8, EAST, WEST))
                .containsExactly(
                        right(EAST, 0, 8, NOW + AHEAD, NOW + AHEAD / 2 + AHEAD),
                        right(WEST, 1, 8, NOW + AHEAD, NOW + AHEAD / 2 + AHEAD));
    }

    @Test
    void so_many_incarnations_that_their_ranges_fill_the_bound_get_no_more() {
        for (int i = 0; i < FloorRights.RIGHTS_MAX; i++) {
            rights.take(right(new RegionIncarnation("us-east", i + 1), 0, 8, i, i + 1));
        }

        assertThat(due(NOW, NOTHING_GRANTED, 8, WEST)).isEmpty();
        rights.forgetBefore(NOW);
        assertThat(due(NOW, NOTHING_GRANTED, 8, WEST)).hasSize(1);
    }

    @Test
    void of_one_range_the_latest_end_counts_in_whatever_order_it_is_read() {
        rights.take(right(EAST, 0, 8, 0, 20));
        rights.take(right(EAST, 0, 8, 0, 10));

        assertThat(rights.covering(15)).hasSize(1);
        assertThat(rights.covering(20)).isEmpty();
    }

    @Test
    void floors_of_all_places_add_up_to_the_share_and_grow_one_at_a_time() {
        for (int percent : new int[] {0, 1, 33, 50}) {
            long[] before = new long[8];
            for (long limit = 0; limit < 1_000; limit++) {
                long limitNow = limit;
                long[] floors = IntStream.range(0, 8)
                        .mapToLong(place -> right(EAST, place, 8, 0, 1).units(limitNow, percent))
                        .toArray();
                assertThat(IntStream.range(0, 8).mapToLong(i -> floors[i]).sum())
                        .isEqualTo(limit * percent / 100);
                long grown = 0;
                for (int i = 0; i < 8; i++) {
                    assertThat(floors[i]).isGreaterThanOrEqualTo(before[i]);
                    grown += floors[i] - before[i];
                }
                assertThat(grown).isLessThanOrEqualTo(1);
                before = floors;
            }
        }
    }

    private List<FloorRight> due(long nowMicros, long grantedMicros, int places, RegionIncarnation... incarnations) {
        return rights.due(
                List.of(incarnations),
                nowMicros,
                grantedMicros,
                new AggregatorRules(SECOND, SECOND, SECOND, places, AHEAD, Facts.SECRET));
    }

    private void commit(List<FloorRight> due) {
        due.forEach(rights::take);
    }

    private static FloorRight right(
            RegionIncarnation incarnation, int place, int places, long fromMicros, long untilMicros) {
        return new FloorRight(incarnation, place, places, fromMicros, untilMicros, Facts.SECRET.checkValue());
    }
}
