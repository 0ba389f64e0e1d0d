package io.meridian.chaos.global;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Global limits in one world that all scenarios share, because it takes most of a minute to start. Each has policies of its own
 * and finds the world mended, so that any can run alone; those that leave new processes behind come last.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
class GlobalLimitsIT {
    private final World world;
    private final Stage stage;

    GlobalLimitsIT() throws Exception {
        world = World.start();
        stage = new Stage(world, Scale.ofProperties());
    }

    @BeforeAll
    void the_limiters_are_warm() throws Exception {
        stage.warmUp();
    }

    @BeforeEach
    void the_world_is_whole() throws Exception {
        world.mend();
    }

    @AfterAll
    void nothing_is_left() throws Exception {
        world.close();
    }

    @Test
    @Order(1)
    void the_harness_counts_to_the_unit() throws Exception {
        new HarnessScenario(stage).countsToTheUnit();
    }

    @Test
    @Order(2)
    void the_harness_cuts_and_heals() throws Exception {
        new HarnessScenario(stage).cutsAndHeals();
    }

    @Test
    @Order(3)
    void the_harness_wipes_a_redis() throws Exception {
        new HarnessScenario(stage).wipesARedis();
    }

    @Test
    @Order(3)
    void the_harness_reads_usage() throws Exception {
        new HarnessScenario(stage).readsUsage();
    }

    @Test
    @Order(4)
    void a_converging_limit_is_kept_but_for_the_loop_delay_and_opens_with_the_window() throws Exception {
        new ConvergeScenario(stage).overshoot();
    }

    @Test
    @Order(5)
    void a_raised_limit_admits_again_in_the_same_window() throws Exception {
        new ConvergeScenario(stage).raised();
    }

    @Test
    @Order(6)
    void a_granted_limit_is_never_exceeded_and_used_up_wherever_the_demand_is() throws Exception {
        new EscrowScenario(stage).followsTheSun();
    }

    @Test
    @Order(7)
    void a_world_in_pieces_keeps_every_policys_promise_and_reconciles_to_the_unit() throws Exception {
        new PartitionScenario(stage).fallsApartAndHeals();
    }

    @Test
    @Order(8)
    void no_check_fails_and_no_count_is_lost_while_kafka_stands_still() throws Exception {
        new KafkaScenario(stage).stopped();
    }

    @Test
    @Order(9)
    void a_wiped_redis_is_told_what_its_region_had_used() throws Exception {
        new WipeScenario(stage).wiped();
    }

    @Test
    @Order(10)
    void a_frozen_leader_is_refused_when_it_wakes_up() throws Exception {
        new LeaderScenario(stage).frozen();
    }

    @Test
    @Order(11)
    void the_harness_freezes_kills_and_mends() throws Exception {
        new HarnessScenario(stage).freezesKillsAndMends();
    }

    @Test
    @Order(12)
    void a_killed_leader_is_replaced_and_nothing_is_granted_twice() throws Exception {
        new LeaderScenario(stage).killed();
    }
}
