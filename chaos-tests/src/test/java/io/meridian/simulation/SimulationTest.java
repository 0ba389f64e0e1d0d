package io.meridian.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.simulation.Scenario.SimFault;
import io.meridian.simulation.Simulation.ShrunkFailure;
import io.meridian.simulation.invariants.InvariantViolation;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final int SEEDS = TestAmounts.of(500, 10_000);
    private static final int SEEDS_PLAYED_TWICE = TestAmounts.of(20, 100);
    /** So many histories are enough to find anything that is broken. */
    private static final int SEEDS_OF_A_CONTROL = 2_000;

    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    @Test
    void no_history_violates_an_invariant() throws Exception {
        Set<SimFault.Kind> seen = EnumSet.noneOf(SimFault.Kind.class);

        SeedRange.Totals sum =
                SeedRange.play(TestSeeds.first(SEEDS), SEEDS, THREADS, 1, Mutation.NONE, result -> result.scenario()
                        .faults()
                        .forEach(fault -> seen.add(fault.kind())));

        System.out.printf("[simulation] %,d seeds, %.0f per second%n", sum.seeds(), sum.perSecond());
        assertThat(shown(sum, Mutation.NONE)).isEmpty();
        assertThat(sum.seeds()).as("histories played").isEqualTo(SEEDS);
        assertThat(seen).as("what went wrong").containsExactlyInAnyOrder(SimFault.Kind.values());
        assertThat(sum.allowed()).isPositive();
        assertThat(sum.denied()).isPositive();
        assertThat(sum.degraded()).isPositive();
    }

    /**
     * Each violated an invariant once: converge in regions that leaders did not know, a limiter's idea of its region's time, unused escrow; and
     * a checker that took a pause between two checks for a refusal that lasted; and a simulated connection that outlived the failover of its server.
     */
    @ParameterizedTest
    @ValueSource(
            longs = {
                30_040_720,
                30_045_355,
                30_076_175,
                30_087_160,
                30_068_267,
                7_000_500,
                500_043_225,
                20_261_118_000_233L,
                20_261_118_000_815L,
                20_263_847
            })
    void a_history_that_once_violated_an_invariant_does_not_any_more(long seed) {
        assertThat(Simulation.run(seed, Mutation.NONE).violation()).isNull();
    }

    @Test
    void a_seed_is_one_history_whoever_plays_it_after_what() throws Exception {
        Map<Long, String> first = digests(1);
        Map<Long, String> again = digests(THREADS);

        assertThat(again).hasSize(SEEDS_PLAYED_TWICE).isEqualTo(first);
    }

    private static Map<Long, String> digests(int threads) throws InterruptedException {
        Map<Long, String> digests = new TreeMap<>();
        SeedRange.play(
                TestSeeds.first(SEEDS_PLAYED_TWICE),
                SEEDS_PLAYED_TWICE,
                threads,
                1,
                Mutation.NONE,
                result -> digests.put(result.seed(), result.digest() + " in " + result.steps()));
        return digests;
    }

    @Test
    void two_seeds_are_two_histories() {
        assertThat(Simulation.run(TestSeeds.KNOWN, Mutation.NONE).digest())
                .isNotEqualTo(Simulation.run(TestSeeds.KNOWN + 1, Mutation.NONE).digest());
    }

    @ParameterizedTest
    @EnumSource(
            value = Mutation.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "LATE_SESSION"})
    void without_a_guard_its_invariant_is_violated(Mutation mutation) throws Exception {
        assertThat(SeedRange.isViolated(
                        mutation.invariant(), firstSeed(mutation), SEEDS_OF_A_CONTROL, THREADS, mutation))
                .as(mutation.invariant() + " of one of " + SEEDS_OF_A_CONTROL + " known histories is violated")
                .isTrue();
    }

    /** A region that leaders do not know is rare: seed 20,264,240 has one, and 2,000 from {@link TestSeeds#KNOWN} on have none. */
    private static long firstSeed(Mutation mutation) {
        return mutation == Mutation.NO_ANNOUNCEMENT ? 20_264_200L : TestSeeds.KNOWN;
    }

    @Test
    void a_history_that_crashes_is_played_and_violates_something() throws Exception {
        SeedRange.Totals sum =
                SeedRange.play(TestSeeds.KNOWN, 5, 1, Integer.MAX_VALUE, Mutation.UNEXPECTED_EXCEPTION, result -> {});

        assertThat(sum.seeds()).isEqualTo(5);
        assertThat(sum.violated()).hasSize(5);
        assertThat(sum.violated().get(TestSeeds.KNOWN))
                .contains("crash", "IllegalStateException", "thrown by a mutation", "SimLimiter");
    }

    @Test
    void a_violation_is_shown_in_as_little_as_shows_it() throws Exception {
        SeedRange.Totals sum = SeedRange.play(TestSeeds.KNOWN, 500, 1, 1, Mutation.NO_FENCE, result -> {});
        long seed = sum.violated().keySet().iterator().next();

        ShrunkFailure shortest = ShrunkFailure.of(seed, Mutation.NO_FENCE);

        assertThat(shortest.scenario().faults().size())
                .isPositive()
                .isLessThanOrEqualTo(Scenario.of(seed).faults().size());
        assertThat(shortest.toString()).contains("seed " + seed, "step " + shortest.steps(), "I6");
        for (SimFault fault : shortest.scenario().faults()) {
            List<SimFault> fewer = new ArrayList<>(shortest.scenario().faults());
            fewer.remove(fault);
            InvariantViolation left = Simulation.run(shortest.scenario().withFaults(fewer), Mutation.NO_FENCE)
                    .violation();
            assertThat(left == null || !left.invariant().equals("I6"))
                    .as("it takes " + fault)
                    .isTrue();
        }
    }

    private static List<String> shown(SeedRange.Totals sum, Mutation mutation) {
        return sum.violated().keySet().stream()
                .map(seed -> ShrunkFailure.of(seed, mutation).toString())
                .toList();
    }
}
