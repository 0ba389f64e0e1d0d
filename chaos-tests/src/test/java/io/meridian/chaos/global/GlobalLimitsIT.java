package io.meridian.chaos.global;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Global limits in one world that all scenarios share, because it takes most of a minute to start. Each has policies of its own,
 * so that any can run alone. What happens when something breaks is for drills.
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
}
