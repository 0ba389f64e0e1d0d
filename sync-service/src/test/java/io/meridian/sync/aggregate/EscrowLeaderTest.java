package io.meridian.sync.aggregate;

import static io.meridian.sync.aggregate.Aggregator.JUST_NOW;
import static io.meridian.sync.aggregate.Facts.EAST;
import static io.meridian.sync.aggregate.Facts.RULES;
import static io.meridian.sync.aggregate.Facts.SECOND;
import static io.meridian.sync.aggregate.Facts.START;
import static io.meridian.sync.aggregate.Facts.WEST;
import static io.meridian.sync.aggregate.Facts.WINDOW;
import static io.meridian.sync.aggregate.Facts.escrow;
import static io.meridian.sync.aggregate.Facts.leader;
import static io.meridian.sync.aggregate.Facts.said;
import static io.meridian.sync.aggregate.Facts.used;
import static io.meridian.sync.aggregate.Facts.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EscrowLeaderTest {
    private static final long NOW = START + 2 * SECOND;
    private static final WindowRule RULE = escrow(1, 100);

    private final Aggregator leader = leader(7);

    @Test
    void who_asks_is_granted_and_never_more_than_the_limit_in_all() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        leader.applyUsage(asks(WEST, 0, 500), JUST_NOW);

        assertThat(said(leader, NOW).stream().mapToLong(VerdictRecord::granted).sum())
                .isEqualTo(100);
    }

    @Test
    void a_tick_that_was_not_committed_granted_nothing_and_another_leaders_verdicts_count_instead() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        assertThat(granted(leader.tick(NOW, 10).verdicts())).containsEntry(EAST, 100L);
        leader.follow();

        Aggregator other = new Aggregator(RULES);
        other.lead(8, NOW);
        other.applyUsage(asks(WEST, 0, 500), JUST_NOW);
        said(other, NOW).forEach(leader::applyVerdict);
        leader.lead(9, NOW);

        leader.applyUsage(asks(EAST, 0, 501), JUST_NOW);
        assertThat(granted(said(leader, NOW))).doesNotContainKey(EAST);
    }

    @Test
    void a_leader_that_forgot_a_window_while_its_clock_was_far_ahead_grants_nothing_of_it() {
        leader.applyUsage(asks(EAST, 0, 60), JUST_NOW);
        assertThat(granted(said(leader, NOW))).containsKey(EAST);
        leader.sweep(NOW + 3_600 * SECOND, LimitTable.PARTS);
        assertThat(leader.size()).isZero();

        leader.applyUsage(asks(WEST, 0, 500), JUST_NOW);

        assertThat(said(leader, NOW)).isEmpty();
        leader.applyUsage(asks(WEST, 0, 501), JUST_NOW);
        assertThat(said(leader, START + WINDOW - SECOND)).as("nor of the next").isEmpty();
    }

    @Test
    void what_a_leader_hears_itself_grant_is_granted_though_nobody_told_it_of_the_commit() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        List<VerdictRecord> unknown = List.copyOf(leader.tick(NOW, 10).verdicts());
        assertThat(granted(unknown)).containsEntry(EAST, 100L);
        unknown.forEach(leader::applyVerdict);

        leader.applyUsage(asks(WEST, 0, 500), JUST_NOW);

        assertThat(granted(said(leader, NOW)).getOrDefault(WEST, 0L)).isZero();
    }

    @Test
    void what_an_idle_region_holds_is_called_back_and_granted_once_it_came_back() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(asks(EAST, 0, 0), JUST_NOW);
        leader.applyUsage(asks(WEST, 0, 500), JUST_NOW);

        List<VerdictRecord> recall = said(leader, NOW);
        assertThat(recall)
                .filteredOn(verdict -> verdict.incarnation().equals(EAST))
                .allMatch(verdict -> verdict.keep() < 100);
        assertThat(granted(recall).getOrDefault(WEST, 0L)).isZero();

        leader.applyUsage(used(window(START), EAST, RULE, 0, 90, 0, 0), JUST_NOW);
        assertThat(granted(said(leader, NOW))).containsEntry(WEST, 90L);
    }

    @Test
    void grants_are_added_up_over_open_windows_once_the_table_was_gone_through() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(used(window(START), EAST, RULE, 30, 60, 0, 0), JUST_NOW);
        leader.sweep(NOW, LimitTable.PARTS - 1);
        assertThat(leader.grants()).as("half of the table is not all of it").isEqualTo(GrantTotals.NONE);

        leader.sweep(NOW, 1);
        assertThat(leader.grants()).isEqualTo(new GrantTotals(40, 30));

        leader.sweep(NOW, LimitTable.PARTS);
        assertThat(leader.grants()).as("not added to the round before").isEqualTo(new GrantTotals(40, 30));
        leader.sweep(START + WINDOW, LimitTable.PARTS);
        assertThat(leader.grants()).as("a window that is over").isEqualTo(GrantTotals.NONE);
    }

    @Test
    void while_the_length_of_a_window_changes_nothing_is_granted_until_the_next() {
        leader.applyUsage(asks(EAST, 0, 50), JUST_NOW);
        assertThat(granted(said(leader, NOW))).containsKey(EAST);
        WindowRule longer = new WindowRule(2, 100, 2 * RULE.windowMicros(), RULE.sharing(), RULE.afterHeal());

        leader.applyUsage(used(window(START), EAST, longer, 0, 0, 500, 1), JUST_NOW);

        assertThat(said(leader, NOW)).isEmpty();
    }

    @Test
    void a_region_that_missed_its_grant_is_told_of_it_again() {
        leader.applyUsage(asks(EAST, 0, 50), JUST_NOW);
        long granted = granted(said(leader, NOW)).getOrDefault(EAST, 0L);

        leader.applyUsage(used(window(START), EAST, RULE, 0, 0, 50, 1), JUST_NOW);

        assertThat(granted(said(leader, NOW)).getOrDefault(EAST, 0L)).isGreaterThanOrEqualTo(granted);
    }

    @Test
    void a_window_that_is_asked_for_early_is_not_also_granted_ahead() {
        long shortlyBefore = START + WINDOW - SECOND / 20;
        leader.applyUsage(used(window(START), EAST, RULE, 40, 0, 10, 0), JUST_NOW);
        leader.applyUsage(used(window(START + WINDOW), WEST, RULE, 0, 0, 60, 60), JUST_NOW);

        List<VerdictRecord> said = said(leader, shortlyBefore);

        assertThat(said.stream()
                        .filter(verdict -> verdict.limit().equals(window(START + WINDOW)))
                        .mapToLong(VerdictRecord::granted)
                        .sum())
                .isPositive()
                .isLessThanOrEqualTo(100);
    }

    @Test
    void a_lost_lifes_grant_is_burnt() {
        leader.applyUsage(asks(EAST, 0, 500), JUST_NOW);
        assertThat(granted(said(leader, NOW))).containsEntry(EAST, 100L);

        leader.applyUsage(asks(new RegionIncarnation("us-east", 2), 0, 500), JUST_NOW);

        assertThat(said(leader, NOW)).allMatch(verdict -> verdict.granted() == 0);
    }

    @Test
    void a_late_report_does_not_bring_back_a_demand_that_is_gone() {
        leader.applyUsage(asks(EAST, 20, 0), JUST_NOW);
        leader.applyUsage(asks(EAST, 10, 900), JUST_NOW);
        leader.applyUsage(asks(WEST, 0, 30), JUST_NOW);

        Map<RegionIncarnation, Long> granted = granted(said(leader, NOW));
        assertThat(granted).containsEntry(WEST, 30L);
        assertThat(granted.getOrDefault(EAST, 0L)).isLessThan(50);
    }

    @Test
    void near_its_end_the_next_window_is_granted_ahead_once() {
        leader.applyUsage(asks(EAST, 60, 60), JUST_NOW);
        leader.applyUsage(asks(WEST, 30, 30), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(asks(EAST, 61, 60), JUST_NOW);

        List<VerdictRecord> ahead = said(leader, START + WINDOW - SECOND);

        assertThat(ahead)
                .filteredOn(verdict -> verdict.limit().startMicros() == START + WINDOW)
                .hasSize(2)
                .allMatch(verdict -> verdict.granted() > 0);
        assertThat(ahead.stream()
                        .filter(verdict -> verdict.limit().startMicros() == START + WINDOW)
                        .mapToLong(VerdictRecord::granted)
                        .sum())
                .isEqualTo(50);
        leader.applyUsage(asks(EAST, 62, 60), JUST_NOW);
        assertThat(said(leader, START + WINDOW - SECOND))
                .noneMatch(verdict -> verdict.limit().startMicros() == START + WINDOW);
    }

    @Test
    void well_before_its_end_nothing_is_granted_ahead() {
        leader.applyUsage(asks(EAST, 60, 60), JUST_NOW);

        assertThat(said(leader, START + WINDOW / 2))
                .noneMatch(verdict -> verdict.limit().startMicros() == START + WINDOW);
    }

    @Test
    void what_was_granted_to_one_who_was_refused_is_called_back_if_nobody_comes_for_it() {
        leader.sweep(NOW, 0);
        leader.applyUsage(used(window(START), EAST, RULE, 0, 0, 0, 1), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(asks(WEST, 0, 500), JUST_NOW);
        said(leader, NOW);
        leader.applyUsage(asks(WEST, 99, 500), JUST_NOW);
        assertThat(said(leader, NOW + SECOND)).noneMatch(verdict -> isCalledBack(verdict, EAST));

        leader.sweep(NOW + 4 * SECOND, 0);
        leader.applyUsage(used(window(START), WEST, RULE, 99, 0, 500, 1), JUST_NOW);

        assertThat(said(leader, NOW + 4 * SECOND)).anyMatch(verdict -> isCalledBack(verdict, EAST));
    }

    private static boolean isCalledBack(VerdictRecord verdict, RegionIncarnation incarnation) {
        return verdict.incarnation().equals(incarnation) && verdict.keep() == 0;
    }

    @Test
    void who_spent_or_gave_back_more_than_it_was_granted_is_an_anomaly() {
        leader.applyUsage(asks(EAST, 0, 10), JUST_NOW);
        said(leader, NOW);
        assertThat(leader.anomalies(10)).isEmpty();

        leader.applyUsage(used(window(START), EAST, RULE, 11, 0, 0, 0), JUST_NOW);
        leader.applyUsage(used(window(START), WEST, RULE, 0, 5, 0, 0), JUST_NOW);

        assertThat(leader.anomalies(10))
                .extracting(Anomaly::incarnation, Anomaly::spent)
                .containsExactlyInAnyOrder(tuple(EAST, 11L), tuple(WEST, 0L));
        assertThat(leader.anomalies(1)).hasSize(1);
    }

    @Test
    void floors_of_all_announced_regions_count_as_granted_until_they_are_given_back() {
        leader.applyAnnouncement(new RegionAnnouncement(EAST, NOW), JUST_NOW);
        leader.applyAnnouncement(new RegionAnnouncement(WEST, NOW), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(asks(EAST, 6, 6, 500), JUST_NOW);
        List<VerdictRecord> first = said(leader, NOW);

        assertThat(granted(first))
                .as("all but its own floor and that of the west")
                .containsEntry(EAST, 88L);
        assertThat(first).as("what the west may have").anyMatch(verdict -> isCalledBack(verdict, WEST));

        leader.applyUsage(asks(WEST, 0, 0, 0), JUST_NOW);
        leader.applyUsage(asks(EAST, 6, 7, 500), JUST_NOW);
        assertThat(granted(said(leader, NOW))).containsEntry(EAST, 94L);
    }

    @Test
    void a_region_of_which_a_new_leader_only_reads_old_reports_is_not_given_floors_of_further_windows() {
        long longAgo = NOW - 2 * Facts.WINDOW;
        leader.applyAnnouncement(new RegionAnnouncement(EAST, longAgo), longAgo);
        leader.applyUsage(asks(EAST, 0, 0), longAgo);
        leader.applyAnnouncement(new RegionAnnouncement(WEST, longAgo), longAgo);
        leader.applyAnnouncement(new RegionAnnouncement(WEST, NOW), JUST_NOW);

        assertThat(leader.tick(NOW, 100).floors())
                .extracting(right -> right.incarnation())
                .containsExactly(WEST);
    }

    @Test
    void a_floor_that_is_smaller_than_it_may_be_leaves_the_rest_to_grants() {
        leader.applyAnnouncement(new RegionAnnouncement(EAST, NOW), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(asks(EAST, 0, 0, 500), JUST_NOW);

        assertThat(granted(said(leader, NOW))).containsEntry(EAST, 100L);
    }

    @Test
    void the_floor_of_a_life_that_is_over_counts_as_spent_though_nobody_heard_of_it() {
        leader.applyAnnouncement(new RegionAnnouncement(EAST, NOW), JUST_NOW);
        said(leader, NOW);
        leader.applyAnnouncement(new RegionAnnouncement(new RegionIncarnation("us-east", 2), NOW), JUST_NOW);

        leader.applyUsage(asks(WEST, 0, 0, 500), JUST_NOW);

        assertThat(granted(said(leader, NOW))).containsEntry(WEST, 94L);
    }

    @Test
    void an_account_that_spent_its_floor_and_no_more_is_no_anomaly() {
        leader.applyUsage(asks(EAST, 6, 6, 0), JUST_NOW);
        assertThat(leader.anomalies(10)).isEmpty();
        leader.applyUsage(asks(EAST, 6, 7, 0), JUST_NOW);
        assertThat(leader.anomalies(10)).extracting(Anomaly::granted).containsExactly(6L);
    }

    @Test
    void a_former_life_that_spent_its_floor_without_having_said_so_is_no_anomaly() {
        leader.applyAnnouncement(new RegionAnnouncement(EAST, NOW), JUST_NOW);
        said(leader, NOW);

        leader.applyUsage(asks(EAST, UsageRecord.FLOOR_UNDECIDED, 6, 0), JUST_NOW);
        assertThat(leader.anomalies(10)).isEmpty();
        leader.applyUsage(asks(EAST, UsageRecord.FLOOR_UNDECIDED, 7, 0), JUST_NOW);
        assertThat(leader.anomalies(10)).hasSize(1);
    }

    @Test
    void nothing_is_granted_of_a_window_that_begins_after_the_floors_that_are_promised() {
        leader.applyAnnouncement(new RegionAnnouncement(EAST, NOW), JUST_NOW);
        said(leader, NOW);
        LimitWindow farAhead = window(START + 20 * WINDOW);

        leader.applyUsage(used(farAhead, WEST, RULE, 0, 0, 50, 50), JUST_NOW);

        assertThat(said(leader, NOW)).noneMatch(verdict -> verdict.limit().equals(farAhead));
    }

    /** A region that decided on its floor, spent so much, and lets checks wait for as much as comes in a second. */
    private static UsageRecord asks(RegionIncarnation incarnation, long floor, long taken, long demandPerSecond) {
        return new UsageRecord(
                window(START),
                incarnation,
                RULE,
                new UsageCount(taken, 0),
                0,
                demandPerSecond,
                demandPerSecond,
                floor,
                1);
    }

    /** As many checks wait for a grant as come in a second. */
    private static UsageRecord asks(RegionIncarnation incarnation, long taken, long demandPerSecond) {
        return used(window(START), incarnation, RULE, taken, 0, demandPerSecond, demandPerSecond);
    }

    private static Map<RegionIncarnation, Long> granted(List<VerdictRecord> verdicts) {
        Map<RegionIncarnation, Long> granted = new HashMap<>();
        verdicts.forEach(verdict -> granted.merge(verdict.incarnation(), verdict.granted(), Math::max));
        return granted;
    }
}
