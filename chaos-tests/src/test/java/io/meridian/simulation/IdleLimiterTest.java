package io.meridian.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A limiter that nobody asks while its region's clock is set, and whose Redis then stands still (seed 30068267 of the simulation, I7). */
class IdleLimiterTest {
    private static final long SECOND = 1_000_000;
    private static final long OFF_MICROS = -3_900_000;
    private static final SimPolicies POLICIES = new SimPolicies(1, 50, 50, 50, 50);

    @Test
    void a_check_without_redis_is_counted_in_the_window_that_is_open_in_the_region() {
        SimWorld world = new SimWorld(
                new Scenario(
                        1,
                        false,
                        1,
                        1,
                        1,
                        POLICIES,
                        1,
                        1,
                        10_000,
                        Collections.nCopies(1, 0L),
                        Collections.nCopies(1, false),
                        List.of()),
                Mutation.NONE);
        SimRegion region = world.regions().get(0);
        until(world, SECOND);
        region.redis.clock(OFF_MICROS, 0);
        check(world, region);
        until(world, 5 * SECOND);
        region.redis.clock(0, 0);
        until(world, 9 * SECOND);
        region.redis.freeze(true);

        CheckResult.Decided decided = check(world, region);

        assertThat(decided.limits())
                .extracting(CheckResult.LimitResult::decidedBy)
                .containsExactly(DecidedBy.FALLBACK);
        assertThat(decided.decision().limits().get(0).standing().resetAtMicros())
                .as("the end of the second window of eight seconds")
                .isEqualTo(SimSchedule.START_MICROS + 16 * SECOND);
    }

    private static CheckResult.Decided check(SimWorld world, SimRegion region) {
        CompletableFuture<CheckResult> answer = region.serving()
                .get(0)
                .check(SimPolicies.check(SimPolicies.CONVERGE, "u0", 1))
                .toCompletableFuture();
        while (!answer.isDone()) {
            assertThat(world.schedule.step(Long.MAX_VALUE)).isTrue();
        }
        return (CheckResult.Decided) answer.join();
    }

    private static void until(SimWorld world, long micros) {
        while (world.schedule.step(SimSchedule.START_MICROS + micros)) {
            world.throwIfViolated();
        }
    }
}
