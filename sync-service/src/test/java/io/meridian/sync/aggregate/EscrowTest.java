package io.meridian.sync.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.sync.aggregate.Allocator.Allocation;
import io.meridian.sync.aggregate.Allocator.RegionDemand;
import io.meridian.sync.aggregate.Allocator.WaterFilling;
import io.meridian.sync.aggregate.EscrowWorld.Broken;
import io.meridian.sync.aggregate.GrantLedger.Account;
import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EscrowTest {
    private static final RegionIncarnation EAST = new RegionIncarnation("us-east", 1);
    private static final RegionIncarnation WEST = new RegionIncarnation("us-west", 1);
    private static final int STEPS = 120;

    @Test
    void no_history_spends_or_grants_more_than_the_limit_at_any_prefix() {
        Histories.TODAY.forEach(random -> runAndCheck(random, Broken.NOTHING));
    }

    @ParameterizedTest
    @EnumSource(value = Broken.class, mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void without_one_guard_some_history_spends_more_than_the_limit(Broken broken) {
        assertThatThrownBy(() -> Histories.KNOWN.forEach(random -> runAndCheck(random, broken)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("replays");
    }

    private static void runAndCheck(SplittableRandom random, Broken broken) {
        EscrowWorld world = new EscrowWorld(random, broken);
        for (int step = 0; step < STEPS; step++) {
            world.step();
            if (world.spent() > world.highestLimit()) {
                throw new AssertionError("spent " + world.spent() + " of " + world.highestLimit() + " at step " + step);
            }
            if (broken == Broken.NOTHING && world.outstanding() > world.highestLimit()) {
                throw new AssertionError(
                        "granted " + world.outstanding() + " of " + world.highestLimit() + " at step " + step);
            }
        }
    }

    @Test
    void with_links_up_demand_is_served_to_the_last_unit_wherever_it_moves() {
        Histories.TODAY.forEach(random -> {
            long limit = 100L + random.nextInt(10_000);
            List<RegionIncarnation> incarnations = List.of(EAST, WEST, new RegionIncarnation("eu-west", 1));
            Holding[] holdings = {Holding.NONE, Holding.NONE, Holding.NONE};
            GrantLedger ledger = GrantLedger.EMPTY;
            Allocator allocator = new Allocator(1_000_000, 3);
            int ticks = 0;
            while (spent(holdings) < limit && ticks++ < 2_000) {
                int busy = ticks / 10 % 3;
                List<RegionDemand> demands = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    demands.add(new RegionDemand(incarnations.get(i), i == busy ? limit / 2 : 0, 0));
                }
                Allocation allocation = allocator.rebalance(ledger, limit, demands);
                ledger = allocation.ledger();
                for (int i = 0; i < 3; i++) {
                    RegionIncarnation incarnation = incarnations.get(i);
                    holdings[i] = holdings[i]
                            .granted(ledger.account(incarnation).granted())
                            .giveBackAllBut(allocation.keep().getOrDefault(incarnation, Long.MAX_VALUE));
                    long cost = i == busy ? Math.min(holdings[i].available(), limit / 20 + 1) : 0;
                    holdings[i] = holdings[i].spend(cost);
                    ledger = ledger.report(incarnation, holdings[i].returned(), holdings[i].usage());
                }
            }
            assertThat(spent(holdings)).isEqualTo(limit);
        });
    }

    private static UsageCount spent(long units) {
        return new UsageCount(units, 0);
    }

    private static long spent(Holding[] holdings) {
        long spent = 0;
        for (Holding holding : holdings) {
            spent += holding.spent();
        }
        return spent;
    }

    @Test
    void a_grant_beyond_what_is_free_is_refused_by_name() {
        GrantLedger ledger = GrantLedger.EMPTY.grant(EAST, 70, 100);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ledger.grant(WEST, 31, 100))
                .withMessage("amount must be from 0 to the free 30 of limit 100, got 31");
    }

    @Test
    void a_lowered_limit_grants_nothing_until_enough_came_back_and_a_raised_one_grants_at_once() {
        GrantLedger ledger = GrantLedger.EMPTY.grant(EAST, 100, 100);

        assertThat(ledger.free(60)).isZero();
        assertThat(ledger.report(EAST, 50, UsageCount.ZERO).free(60)).isEqualTo(10);
        assertThat(ledger.free(150)).isEqualTo(50);
    }

    @Test
    void below_a_lowered_limit_everybody_is_asked_to_give_back_whatever_the_demand() {
        GrantLedger held = GrantLedger.EMPTY.grant(EAST, 400, 1_000).grant(WEST, 400, 1_000);

        Allocation allocation = new Allocator(1_000_000, 5)
                .rebalance(held, 100, List.of(new RegionDemand(EAST, 500, 0), new RegionDemand(WEST, 0, 0)));

        assertThat(allocation.keep()).containsEntry(EAST, 50L).containsEntry(WEST, 50L);
        assertThat(allocation.ledger()).isEqualTo(held);
    }

    @Test
    void a_seldom_request_of_a_large_cost_gets_a_grant_of_its_size() {
        GrantLedger ledger = new Allocator(1_000_000, 0)
                .rebalance(
                        GrantLedger.EMPTY, 1_000, List.of(new RegionDemand(EAST, 5, 50), new RegionDemand(WEST, 0, 0)))
                .ledger();

        assertThat(ledger.account(EAST).granted()).isEqualTo(50);
    }

    @Test
    void floors_share_what_there_is_when_there_is_not_enough_for_all() {
        GrantLedger ledger = new Allocator(1_000_000, 3)
                .rebalance(GrantLedger.EMPTY, 5, List.of(new RegionDemand(EAST, 0, 0), new RegionDemand(WEST, 0, 0)))
                .ledger();

        assertThat(ledger.outstanding()).isEqualTo(5);
    }

    @Test
    void granting_ahead_again_after_a_change_of_leader_stays_within_half_of_the_limit() {
        Allocator allocator = new Allocator(1_000_000, 0);
        List<RegionDemand> demands = List.of(new RegionDemand(EAST, 0, 0), new RegionDemand(WEST, 0, 0));
        GrantLedger east = GrantLedger.EMPTY.grant(EAST, 90, 100).report(EAST, 0, spent(90));
        GrantLedger west = GrantLedger.EMPTY.grant(WEST, 90, 100).report(WEST, 0, spent(90));

        GrantLedger once = allocator.preGrant(GrantLedger.EMPTY, east, 100, demands, 0);
        GrantLedger twice = allocator.preGrant(once, west, 100, demands, 0);

        assertThat(once.outstanding()).isEqualTo(50);
        assertThat(twice).isEqualTo(once);
    }

    @Test
    void a_ledger_that_lacks_grants_gives_nothing_until_it_has_heard_of_them() {
        GrantLedger behind = GrantLedger.EMPTY.report(EAST, 60, spent(40));

        assertThat(behind.free(100)).isZero();
        assertThat(behind.merge(GrantLedger.EMPTY.grant(EAST, 100, 100)).free(100))
                .isEqualTo(60);
    }

    @Test
    void a_refund_makes_room_in_the_region_and_counts_as_unspent_for_the_leader() {
        Holding holding = Holding.NONE.granted(10).spend(8).refund(5);

        assertThat(holding.available()).isEqualTo(7);
        assertThat(holding.refund(100).available()).isEqualTo(10);
        assertThat(GrantLedger.EMPTY
                        .grant(EAST, 10, 10)
                        .report(EAST, 0, spent(8))
                        .report(EAST, 0, holding.usage())
                        .account(EAST)
                        .unspent())
                .isEqualTo(7);
    }

    @Test
    void a_lost_life_keeps_what_it_held_and_its_successor_starts_with_nothing() {
        GrantLedger ledger = GrantLedger.EMPTY.grant(EAST, 40, 100).report(EAST, 0, spent(10));
        RegionIncarnation reborn = new RegionIncarnation("us-east", 2);

        assertThat(ledger.account(reborn)).isEqualTo(Account.EMPTY);
        assertThat(ledger.free(100)).isEqualTo(60);
    }

    @Test
    void when_short_what_is_free_is_split_by_demand() {
        GrantLedger ledger = new Allocator(1_000_000, 0)
                .rebalance(
                        GrantLedger.EMPTY,
                        100,
                        List.of(new RegionDemand(EAST, 800, 100), new RegionDemand(WEST, 200, 100)))
                .ledger();

        assertThat(ledger.account(EAST).granted()).isEqualTo(80);
        assertThat(ledger.account(WEST).granted()).isEqualTo(20);
    }

    @Test
    void a_burst_is_granted_what_waits_and_ahead_of_that_only_a_part_of_what_is_free() {
        GrantLedger ledger = new Allocator(1_000_000, 0)
                .rebalance(
                        GrantLedger.EMPTY, 100, List.of(new RegionDemand(EAST, 800, 20), new RegionDemand(WEST, 0, 0)))
                .ledger();

        assertThat(ledger.account(EAST).granted()).isEqualTo(20 + 80 / 2);
    }

    @Test
    void checks_that_wait_come_before_any_demand() {
        GrantLedger held = GrantLedger.EMPTY.grant(EAST, 90, 100);

        Allocation allocation = new Allocator(1_000_000, 5)
                .rebalance(held, 100, List.of(new RegionDemand(EAST, 800, 0), new RegionDemand(WEST, 0, 30)));

        assertThat(allocation.ledger().account(WEST).granted()).isEqualTo(10);
        assertThat(allocation.keep()).containsOnlyKeys(EAST).containsEntry(EAST, 70L);
    }

    @Test
    void what_waits_in_one_region_is_not_called_back_for_another() {
        GrantLedger held = GrantLedger.EMPTY.grant(EAST, 100, 100);

        Allocation allocation = new Allocator(1_000_000, 5)
                .rebalance(held, 100, List.of(new RegionDemand(EAST, 0, 95), new RegionDemand(WEST, 0, 30)));

        assertThat(allocation.keep()).containsOnlyKeys(EAST).containsEntry(EAST, 95L);
    }

    @Test
    void when_short_an_idle_region_is_asked_to_keep_only_what_it_needs() {
        GrantLedger held = GrantLedger.EMPTY.grant(EAST, 100, 100);

        Allocation allocation = new Allocator(1_000_000, 5)
                .rebalance(held, 100, List.of(new RegionDemand(EAST, 10, 0), new RegionDemand(WEST, 60, 0)));

        assertThat(allocation.keep()).containsOnlyKeys(EAST).containsEntry(EAST, 40L);
        assertThat(allocation.ledger()).isEqualTo(held);
    }

    @Test
    void when_short_a_region_that_will_hardly_ask_does_not_keep_its_last_unit_from_who_asks_now() {
        GrantLedger held = GrantLedger.EMPTY.grant(EAST, 1, 20).grant(WEST, 19, 20);
        GrantLedger spent = held.report(WEST, 0, new UsageCount(19, 0));

        Allocation allocation = new Allocator(500_000, 1)
                .rebalance(spent, 20, List.of(new RegionDemand(EAST, 1, 0), new RegionDemand(WEST, 60, 1)));

        assertThat(allocation.keep()).containsOnlyKeys(EAST).containsEntry(EAST, 0L);
    }

    @Test
    void an_idle_region_holds_its_floor_while_there_is_enough() {
        List<RegionDemand> demands = List.of(new RegionDemand(EAST, 50, 0), new RegionDemand(WEST, 0, 0));

        GrantLedger ledger = new Allocator(1_000_000, 5)
                .rebalance(GrantLedger.EMPTY, 1_000, demands)
                .ledger();

        assertThat(ledger.account(EAST).granted()).isEqualTo(50);
        assertThat(ledger.account(WEST).granted()).isEqualTo(5);
    }

    @Test
    void the_next_window_is_granted_ahead_as_the_last_one_was_spent() {
        GrantLedger last = GrantLedger.EMPTY
                .grant(EAST, 90, 100)
                .grant(WEST, 10, 100)
                .report(EAST, 0, spent(90))
                .report(WEST, 0, spent(10));

        GrantLedger next = new Allocator(1_000_000, 0)
                .preGrant(
                        GrantLedger.EMPTY,
                        last,
                        1_000,
                        List.of(new RegionDemand(EAST, 0, 0), new RegionDemand(WEST, 0, 0)),
                        0);

        assertThat(next.account(EAST).granted()).isEqualTo(450);
        assertThat(next.account(WEST).granted()).isEqualTo(50);
    }

    @Test
    void water_filling_gives_all_there_is_or_all_that_is_asked_and_nobody_too_much() {
        Histories.TODAY.forEach(random -> {
            int n = 1 + random.nextInt(8);
            long[] asked = random.longs(n, 0, 1_000_000_000_000L).toArray();
            long[] weights = random.longs(n, 0, 1_000_000_000_000L).toArray();
            long amount = random.nextLong(1_000_000_000_000L);

            long[] parts = WaterFilling.fill(amount, asked, weights);

            long sum = 0;
            long sumAsked = 0;
            for (int i = 0; i < n; i++) {
                assertThat(parts[i]).isBetween(0L, asked[i]);
                sum += parts[i];
                sumAsked += asked[i];
            }
            assertThat(sum).isEqualTo(Math.min(amount, sumAsked));
        });
    }

    @Test
    void two_views_of_a_ledger_merge_to_the_later_of_each_field() {
        GrantLedger verdicts = GrantLedger.EMPTY.grant(EAST, 70, 100);
        GrantLedger usage = new GrantLedger(java.util.Map.of(EAST, new Account(0, 60, spent(30))));

        assertThat(verdicts.merge(usage).account(EAST)).isEqualTo(new Account(70, 60, spent(30)));
        assertThat(verdicts.merge(usage)).isEqualTo(usage.merge(verdicts));
    }
}
