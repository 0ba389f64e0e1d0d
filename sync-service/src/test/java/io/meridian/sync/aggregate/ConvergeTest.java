package io.meridian.sync.aggregate;

import static io.meridian.sync.aggregate.Aggregator.JUST_NOW;
import static io.meridian.sync.aggregate.Facts.EAST;
import static io.meridian.sync.aggregate.Facts.EU;
import static io.meridian.sync.aggregate.Facts.RULES;
import static io.meridian.sync.aggregate.Facts.SECOND;
import static io.meridian.sync.aggregate.Facts.START;
import static io.meridian.sync.aggregate.Facts.WEST;
import static io.meridian.sync.aggregate.Facts.WINDOW;
import static io.meridian.sync.aggregate.Facts.converge;
import static io.meridian.sync.aggregate.Facts.leader;
import static io.meridian.sync.aggregate.Facts.rule;
import static io.meridian.sync.aggregate.Facts.said;
import static io.meridian.sync.aggregate.Facts.used;
import static io.meridian.sync.aggregate.Facts.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.VerdictRecord;
import org.junit.jupiter.api.Test;

class ConvergeTest {
    private static final long NOW = START + 2 * SECOND;
    private static final WindowRule RULE = converge(1, 1_000);
    private static final WindowRule CARRY = rule(SharingMode.CONVERGE, AfterHeal.CARRY, 1, 1_000);

    private final Aggregator leader = leader(7);

    @Test
    void every_region_is_told_what_the_others_used_and_nothing_twice() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere, VerdictRecord::epoch)
                .containsExactlyInAnyOrder(tuple(EAST, 100L, 7L), tuple(WEST, 300L, 7L));
        assertThat(said(leader, NOW)).isEmpty();
        assertThat(said(leader, NOW + 5 * SECOND)).isEmpty();
    }

    @Test
    void at_the_limit_the_flag_goes_to_the_last_life_of_every_region() {
        RegionIncarnation reborn = new RegionIncarnation("us-east", 2);
        leader.applyUsage(used(new LimitWindow("p", "another", START), EU, RULE, 1), JUST_NOW);
        leader.applyUsage(used(EAST, RULE, 600), JUST_NOW);
        leader.applyUsage(used(reborn, RULE, 100), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 300), JUST_NOW);

        assertThat(said(leader, NOW))
                .filteredOn(verdict -> verdict.limit().key().equals("k"))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere, VerdictRecord::blocked)
                .containsExactlyInAnyOrder(tuple(reborn, 900L, true), tuple(WEST, 700L, true), tuple(EU, 1_000L, true));
    }

    @Test
    void at_the_limit_the_flag_goes_to_regions_that_only_announced_themselves() {
        leader.applyAnnouncement(announcement(WEST), JUST_NOW);
        leader.applyUsage(used(EAST, RULE, 999), JUST_NOW);
        assertThat(said(leader, NOW)).extracting(VerdictRecord::incarnation).doesNotContain(WEST);

        leader.applyUsage(used(EAST, RULE, 1_000), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere, VerdictRecord::blocked)
                .contains(tuple(WEST, 1_000L, true));
    }

    @Test
    void a_region_that_joins_later_is_told_of_every_limit_that_is_reached() {
        leader.applyUsage(used(EAST, RULE, 1_000), JUST_NOW);
        leader.applyUsage(used(new LimitWindow("p", "another", START), EAST, RULE, 999), JUST_NOW);
        said(leader, NOW);

        leader.applyAnnouncement(announcement(WEST), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, each -> each.limit().key(), VerdictRecord::blocked)
                .containsExactly(tuple(WEST, "k", true));
        leader.applyAnnouncement(announcement(WEST), JUST_NOW);
        assertThat(said(leader, NOW)).as("nothing twice").isEmpty();
    }

    @Test
    void another_incarnation_of_a_region_is_told_of_every_limit_that_is_reached() {
        RegionIncarnation next = new RegionIncarnation("us-west", 2);
        leader.applyAnnouncement(announcement(WEST), JUST_NOW);
        leader.applyUsage(used(EAST, RULE, 1_000), JUST_NOW);
        said(leader, NOW);

        leader.applyAnnouncement(announcement(next), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::blocked)
                .containsExactly(tuple(next, true));
    }

    @Test
    void a_successor_tells_the_regions_that_announced_themselves_before_it_led() {
        Aggregator successor = new Aggregator(RULES);
        successor.applyAnnouncement(announcement(WEST), JUST_NOW);
        successor.applyUsage(used(EAST, RULE, 1_000), JUST_NOW);

        successor.lead(8, NOW);

        assertThat(said(successor, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::blocked)
                .containsExactlyInAnyOrder(tuple(EAST, true), tuple(WEST, true));
    }

    @Test
    void without_aligned_windows_a_region_that_announced_itself_is_told_before_the_limit_is_reached() {
        WindowRule rate = rule(SharingMode.CONVERGE_RATE, AfterHeal.FORGIVE, 1, 1_000);
        LimitWindow before = new LimitWindow("p", "k", START - WINDOW);
        leader.applyAnnouncement(announcement(WEST), JUST_NOW);
        leader.applyUsage(used(before, EAST, rate, 600), JUST_NOW);
        leader.applyUsage(used(EAST, rate, 100), JUST_NOW);
        assertThat(said(leader, NOW)).extracting(VerdictRecord::incarnation).doesNotContain(WEST);

        leader.applyUsage(used(EAST, rate, 200), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::limit, VerdictRecord::usedElsewhere)
                .contains(tuple(WEST, window(START), 200L))
                .as("the period before counts too")
                .contains(tuple(WEST, before, 600L));
    }

    private static RegionAnnouncement announcement(RegionIncarnation incarnation) {
        return new RegionAnnouncement(incarnation, NOW);
    }

    @Test
    void one_unit_below_the_limit_nobody_is_blocked() {
        leader.applyUsage(used(EAST, RULE, 999), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 0), JUST_NOW);

        assertThat(said(leader, NOW)).isNotEmpty().noneMatch(VerdictRecord::blocked);
    }

    @Test
    void a_raised_limit_lifts_the_flag_and_a_lowered_one_is_told_anew() {
        leader.applyUsage(used(EAST, RULE, 1_000), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 0), JUST_NOW);
        assertThat(said(leader, NOW)).hasSize(2).allMatch(VerdictRecord::blocked);

        leader.applyUsage(used(EAST, converge(2, 2_000), 1_001), JUST_NOW);
        assertThat(said(leader, NOW)).noneMatch(VerdictRecord::blocked);

        leader.applyUsage(used(EAST, converge(3, 900), 1_001), JUST_NOW);
        assertThat(said(leader, NOW))
                .hasSize(2)
                .allMatch(verdict -> verdict.blocked() && verdict.rule().equals(converge(3, 900)));
    }

    @Test
    void an_older_version_that_comes_late_changes_no_rule() {
        leader.applyUsage(used(EAST, converge(2, 2_000), 1_000), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 500), JUST_NOW);

        assertThat(said(leader, NOW)).isNotEmpty().noneMatch(VerdictRecord::blocked);
    }

    @Test
    void what_hardly_moved_is_told_a_while_later() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(used(EAST, RULE, 303), JUST_NOW);
        assertThat(said(leader, NOW)).isEmpty();
        assertThat(said(leader, NOW + SECOND - 1)).isEmpty();
        assertThat(said(leader, NOW + SECOND))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 303L));
    }

    @Test
    void a_window_that_only_seemed_to_be_over_is_told_of_when_the_clock_is_set_right() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(used(EAST, RULE, 700), JUST_NOW);
        assertThat(said(leader, NOW + WINDOW)).as("it seems to be over").isEmpty();

        assertThat(said(leader, NOW + SECOND))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 700L));
        leader.applyUsage(used(WEST, RULE, 150), JUST_NOW);
        assertThat(said(leader, NOW + SECOND))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(EAST, 150L));
    }

    @Test
    void what_hardly_moved_does_not_wait_until_a_clock_that_was_set_back_catches_up() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(used(EAST, RULE, 303), JUST_NOW);
        assertThat(said(leader, NOW + 30 * SECOND)).isEmpty();

        assertThat(said(leader, NOW + SECOND))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 303L));
    }

    @Test
    void near_the_limit_every_unit_matters() {
        leader.applyUsage(used(EAST, RULE, 900), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 50), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(used(EAST, RULE, 901), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 901L));
    }

    @Test
    void a_new_life_is_told_what_the_earlier_one_used_and_the_earlier_one_nothing() {
        RegionIncarnation reborn = new RegionIncarnation("us-east", 2);
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(used(reborn, RULE, 20), JUST_NOW);

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactlyInAnyOrder(tuple(reborn, 400L), tuple(WEST, 320L));
    }

    @Test
    void the_excess_of_a_window_is_carried_into_the_next_and_so_is_what_is_heard_late() {
        leader.applyUsage(used(EAST, CARRY, 1_300), JUST_NOW);
        long next = NOW + WINDOW;
        leader.applyUsage(used(Facts.window(START + WINDOW), WEST, CARRY, 1), JUST_NOW);
        assertThat(said(leader, next))
                .filteredOn(verdict -> verdict.limit().startMicros() == START + WINDOW)
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 300L));

        leader.applyUsage(used(EAST, CARRY, 1_400), JUST_NOW);
        assertThat(said(leader, next))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 400L));

        leader.applyUsage(used(EAST, CARRY, 5_000), JUST_NOW);
        assertThat(said(leader, next))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 500L));
    }

    @Test
    void what_is_forgiven_is_not_carried_and_what_was_over_is_told_once() {
        leader.applyUsage(used(EAST, RULE, 1_300), JUST_NOW);
        leader.applyUsage(used(Facts.window(START + WINDOW), WEST, RULE, 1), JUST_NOW);

        assertThat(said(leader, NOW + WINDOW)).isEmpty();
        assertThat(leader.overshoots())
                .extracting(Overshoot::excess, Overshoot::carried)
                .containsExactly(tuple(300L, 0L));
        said(leader, NOW + WINDOW + 2 * SECOND);
        assertThat(leader.overshoots()).isEmpty();
    }

    @Test
    void what_is_heard_between_a_tick_and_its_commit_is_told_by_the_next() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        PartitionAggregate.Tick tick = leader.tick(NOW, 10);
        leader.applyUsage(used(EAST, RULE, 600), JUST_NOW);

        tick.committed();

        assertThat(said(leader, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere)
                .containsExactly(tuple(WEST, 600L));
    }

    @Test
    void a_tick_that_is_not_committed_changes_nothing() {
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 1_000), JUST_NOW);
        PartitionAggregate.Tick lost = leader.tick(NOW, 10);

        assertThat(said(leader, NOW))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("sequence")
                .isEqualTo(lost.verdicts())
                .isNotEmpty();
    }

    @Test
    void a_new_leader_tells_what_the_last_one_did_not_and_no_more() {
        Aggregator follower = new Aggregator(RULES);
        leader.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        said(leader, NOW).forEach(follower::applyVerdict);
        follower.applyUsage(used(EAST, RULE, 300), JUST_NOW);
        follower.applyUsage(used(WEST, RULE, 200), JUST_NOW);

        follower.lead(follower.epoch() + 1, NOW);

        assertThat(said(follower, NOW))
                .extracting(VerdictRecord::incarnation, VerdictRecord::usedElsewhere, VerdictRecord::epoch)
                .containsExactly(tuple(EAST, 200L, 8L));
    }

    @Test
    void a_new_leader_follows_the_newest_rule_that_the_last_one_spoke_under() {
        Aggregator follower = new Aggregator(RULES);
        leader.applyUsage(used(EAST, converge(2, 2_000), 900), JUST_NOW);
        leader.applyUsage(used(WEST, RULE, 100), JUST_NOW);
        follower.applyUsage(used(WEST, RULE, 1_100), JUST_NOW);
        said(leader, NOW).forEach(follower::applyVerdict);

        follower.lead(follower.epoch() + 1, NOW);

        assertThat(said(follower, NOW)).isNotEmpty().noneMatch(VerdictRecord::blocked);
    }

    @Test
    void only_a_leader_speaks() {
        leader.follow();

        assertThatIllegalStateException().isThrownBy(() -> leader.tick(NOW, 1));
    }

    @Test
    void windows_that_ended_long_ago_are_forgotten_and_open_ones_kept() {
        for (int i = 0; i < 1_000; i++) {
            leader.applyUsage(used(new LimitWindow("p", "k" + i, START), EAST, RULE, 1), JUST_NOW);
            leader.applyUsage(used(new LimitWindow("p", "k" + i, START + WINDOW), EAST, RULE, 1), JUST_NOW);
        }
        leader.sweep(START + WINDOW + 600 * SECOND, LimitTable.PARTS);
        assertThat(leader.size()).isEqualTo(2_000);

        leader.sweep(START + WINDOW + 600 * SECOND + 1, LimitTable.PARTS);
        assertThat(leader.size()).isEqualTo(1_000);
        leader.applyUsage(used(new LimitWindow("p", "k7", START + WINDOW), EAST, RULE, 5), JUST_NOW);
        assertThat(leader.size()).isEqualTo(1_000);
    }

    @Test
    void what_slides_is_told_of_the_end_of_a_period_in_the_one_after_it() {
        WindowRule rate = Facts.rule(SharingMode.CONVERGE_RATE, AfterHeal.FORGIVE, 1, 100);
        Aggregator leader = Facts.leader(7);
        leader.applyUsage(Facts.used(Facts.EAST, rate, 10), JUST_NOW);
        Facts.said(leader, Facts.START + Facts.WINDOW - 1);
        leader.applyUsage(Facts.used(Facts.WEST, rate, 30), JUST_NOW);

        assertThat(Facts.said(leader, Facts.START + Facts.WINDOW + Facts.SECOND))
                .anyMatch(verdict -> verdict.incarnation().equals(Facts.EAST) && verdict.usedElsewhere() == 30);
        leader.applyUsage(Facts.used(Facts.WEST, rate, 40), JUST_NOW);
        assertThat(Facts.said(leader, Facts.START + 2 * Facts.WINDOW)).isEmpty();
    }
}
