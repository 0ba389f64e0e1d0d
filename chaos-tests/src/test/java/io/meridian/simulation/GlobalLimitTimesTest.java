package io.meridian.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.invariants.InvariantViolation;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Times and quantities that global limits promise, in virtual time: overshoot, delay of the flag, use of escrow and takeover. The
 * figures of a machine are printed by drills and benchmarks.
 */
class GlobalLimitTimesTest {
    private static final int WORLDS = TestAmounts.of(10, 200);
    private static final int ESCROW_WORLDS = TestAmounts.of(4, 100);
    private static final int TAKEOVERS = TestAmounts.of(40, 2_000);
    /** Windows that are looked at, after the first, in which regions meet. */
    private static final List<Integer> WINDOWS = List.of(1, 2);

    private static final long CONVERGE_LIMIT = 2_000;
    private static final long FLAG_MICROS = 300_000;
    private static final long LOOP_MICROS = FLAG_MICROS + EvenLoad.NETWORK_MICROS;
    /** Demand of one loop. */
    private static final double OVER_MAX = EvenLoad.demandPerSecond(CONVERGE_LIMIT) * LOOP_MICROS / 1e6;

    /** Large enough that a thousandth of it is more than the unit that each region may have left. */
    private static final long ESCROW_LIMIT = 6_000;

    private static final long TAKEOVER_LIMIT = 200;
    private static final double USED_MIN = 0.999;
    private static final long TAKEOVER_MICROS = 3_000_000;

    /** What was seen of a converging limit: units above it, and of each region how long after its crossing it last admitted. */
    private record Converged(long over, List<Long> flagMicros) {}

    @Test
    void a_converging_limit_is_exceeded_by_no_more_than_the_demand_of_one_loop() {
        List<Long> over = converged(TestSeeds.first(WORLDS), WORLDS, Mutation.NONE).stream()
                .map(Converged::over)
                .toList();

        System.out.printf(
                "[simulation] converge: above the limit of %,d by p50 %d, max %d (wanted rate x loop delay = %.0f)%n",
                CONVERGE_LIMIT, percentile(over, 0.5), percentile(over, 1), OVER_MAX);
        assertThat(over).allSatisfy(each -> assertThat((double) each).isLessThanOrEqualTo(OVER_MAX));
        assertThat(over).as("limits that were used up").allSatisfy(each -> assertThat(each)
                .isNotNegative());
    }

    @Test
    void every_region_acts_by_the_flag_within_300_ms_and_the_network() {
        List<Long> delays = flagDelays(converged(TestSeeds.first(WORLDS), WORLDS, Mutation.NONE));

        System.out.printf(
                "[simulation] flag delay p50 %d ms, max %d ms (wanted %d ms + network %d ms)%n",
                percentile(delays, 0.5) / 1_000,
                percentile(delays, 1) / 1_000,
                FLAG_MICROS / 1_000,
                EvenLoad.NETWORK_MICROS / 1_000);
        assertThat(delays).hasSize(WORLDS * WINDOWS.size() * EvenLoad.REGIONS);
        assertThat(delays).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(LOOP_MICROS));
    }

    @Test
    void verdicts_that_come_late_are_seen_in_both() {
        List<Converged> late = converged(TestSeeds.KNOWN, 1, Mutation.LATE_VERDICTS);

        assertThat(percentile(flagDelays(late), 1)).isGreaterThan(LOOP_MICROS);
        assertThat(late).anySatisfy(each -> assertThat((double) each.over()).isGreaterThan(OVER_MAX));
    }

    private static List<Long> flagDelays(List<Converged> all) {
        return all.stream().flatMap(each -> each.flagMicros().stream()).toList();
    }

    private static List<Converged> converged(long first, int worlds, Mutation mutation) {
        List<Converged> seen = new ArrayList<>();
        for (long seed = first; seed < first + worlds; seed++) {
            EvenLoad load = new EvenLoad(seed, SimPolicies.CONVERGE, CONVERGE_LIMIT, true, mutation);
            load.until((WINDOWS.size() + 1) * EvenLoad.WINDOW_MICROS);
            throwIfViolated(load, seed, mutation);
            for (int window : WINDOWS) {
                seen.add(converged(load.allowed(window)));
            }
        }
        return seen;
    }

    /** A region's delay is the time from the crossing to the last request that it was sent after that and allowed. */
    private static Converged converged(List<EvenLoad.Answer> allowed) {
        List<Long> flagMicros = new ArrayList<>();
        if (allowed.size() >= CONVERGE_LIMIT) {
            long crossed = allowed.get((int) CONVERGE_LIMIT - 1).answeredMicros();
            for (int region = 0; region < EvenLoad.REGIONS; region++) {
                int of = region;
                flagMicros.add(allowed.stream()
                        .filter(each -> each.region() == of)
                        .mapToLong(each -> each.sentMicros() - crossed)
                        .filter(each -> each > 0)
                        .max()
                        .orElse(0));
            }
        }
        return new Converged(allowed.size() - CONVERGE_LIMIT, flagMicros);
    }

    @Test
    void a_limit_in_escrow_is_used_up_while_demand_moves_from_region_to_region() {
        List<Double> used = escrowUsed(TestSeeds.first(ESCROW_WORLDS), ESCROW_WORLDS, Mutation.NONE);

        double least = used.stream().mapToDouble(each -> each).min().orElse(0);
        System.out.printf("[simulation] escrow: used at least %.2f %% (wanted %.1f %%)%n", 100 * least, 100 * USED_MIN);
        assertThat(used).hasSize(ESCROW_WORLDS * WINDOWS.size());
        assertThat(used).allSatisfy(each -> assertThat(each).isBetween(USED_MIN, 1.0));
    }

    @Test
    void units_that_no_region_hears_of_are_seen_as_unused() {
        assertThat(escrowUsed(TestSeeds.KNOWN, 1, Mutation.TRUNCATED_GRANTS))
                .allSatisfy(each -> assertThat(each).isLessThan(USED_MIN));
    }

    /** Four fifths of the demand are in one region, and a sixth of a window later in the next. */
    private static List<Double> escrowUsed(long first, int worlds, Mutation mutation) {
        List<Double> used = new ArrayList<>();
        long moveMicros = EvenLoad.WINDOW_MICROS / 6;
        for (long seed = first; seed < first + worlds; seed++) {
            EvenLoad load = new EvenLoad(seed, SimPolicies.ESCROW, ESCROW_LIMIT, true, mutation);
            for (int move = 0; move < 6 * (WINDOWS.size() + 1); move++) {
                for (int region = 0; region < EvenLoad.REGIONS; region++) {
                    boolean hot = region == move % EvenLoad.REGIONS;
                    load.rate(region, EvenLoad.demandPerSecond(ESCROW_LIMIT) * (hot ? 0.8 : 0.05));
                }
                load.until((move + 1) * moveMicros);
            }
            load.until((WINDOWS.size() + 1) * EvenLoad.WINDOW_MICROS);
            throwIfViolated(load, seed, mutation);
            for (int window : WINDOWS) {
                used.add((double) load.allowed(window).size() / ESCROW_LIMIT);
            }
        }
        return used;
    }

    @Test
    void a_killed_leader_is_replaced_within_3_s_in_every_partition() {
        List<Long> takeovers = takeovers(TestSeeds.first(TAKEOVERS), TAKEOVERS, Mutation.NONE);

        System.out.printf(
                "[simulation] takeover p50 %,d ms, max %,d ms of %d (wanted %,d ms)%n",
                percentile(takeovers, 0.5) / 1_000,
                percentile(takeovers, 1) / 1_000,
                takeovers.size(),
                TAKEOVER_MICROS / 1_000);
        assertThat(takeovers).hasSizeGreaterThanOrEqualTo(TAKEOVERS);
        assertThat(takeovers).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(TAKEOVER_MICROS));
    }

    @Test
    void a_leader_that_is_missed_late_is_seen_to_be_replaced_late() {
        assertThat(takeovers(TestSeeds.KNOWN, 1, Mutation.LATE_SESSION))
                .allSatisfy(each -> assertThat(each).isGreaterThan(TAKEOVER_MICROS));
    }

    private static List<Long> takeovers(long first, int kills, Mutation mutation) {
        List<Long> takeovers = new ArrayList<>();
        for (long seed = first; seed < first + kills; seed++) {
            EvenLoad load = new EvenLoad(seed, SimPolicies.CONVERGE, TAKEOVER_LIMIT, false, mutation);
            takeovers.addAll(new Takeover(load, new SplittableRandom(seed)).micros());
            throwIfViolated(load, seed, mutation);
        }
        return takeovers;
    }

    /** Of a world that a test broke, the figure is to tell, not an invariant. */
    private static void throwIfViolated(EvenLoad load, long seed, Mutation mutation) {
        if (mutation == Mutation.NONE) {
            try {
                load.world.throwIfViolated();
            } catch (InvariantViolation violation) {
                throw new AssertionError("-Dmeridian.seed=" + seed + " replays: " + violation.getMessage(), violation);
            }
        }
    }

    private static long percentile(List<Long> values, double share) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }
}
