package io.meridian.simulation;

import io.meridian.simulation.Scenario.SimFault;
import io.meridian.simulation.invariants.FinalChecks;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.invariants.InvariantViolation;
import io.meridian.simulation.world.FaultInjector;
import io.meridian.simulation.world.SimLoad;
import io.meridian.simulation.world.SimLoad.FirstChecks;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Run of one history from its seed, deterministic to the last step. */
public final class Simulation {
    private Simulation() {}

    /**
     * Result of a history.
     *
     * @param violation null if all invariants hold
     * @param steps number of steps, up to the violation if there is one
     * @param digest equal for equal histories
     */
    public record Result(
            Scenario scenario,
            @Nullable InvariantViolation violation,
            long steps,
            long digest,
            long allowed,
            long denied,
            long degraded,
            long reports,
            long verdicts) {
        public long seed() {
            return scenario.seed();
        }
    }

    public static Result run(long seed, Mutation mutation) {
        return run(Scenario.of(seed), mutation);
    }

    public static Result run(Scenario scenario, Mutation mutation) {
        SimWorld world = new SimWorld(scenario, mutation);
        InvariantViolation found = null;
        try {
            play(world);
        } catch (RuntimeException | Error crash) {
            found = InvariantViolation.crash(crash);
        }
        InvariantChecker.Tally tally = world.invariants.tally();
        return new Result(
                scenario,
                found,
                world.schedule.steps(),
                tally.digest,
                tally.allowed,
                tally.denied,
                tally.degraded,
                tally.reports,
                tally.verdicts);
    }

    private static void play(SimWorld world) {
        FaultInjector faults = new FaultInjector(world);
        SimLoad load = new SimLoad(world);
        new FirstChecks(world, load);
        until(world, SimSchedule.START_MICROS + Scenario.LOAD_MICROS);
        load.stop();
        faults.heal();
        until(world, SimSchedule.START_MICROS + Scenario.LOAD_MICROS + Scenario.QUIET_MICROS);
        new FinalChecks(world).check();
    }

    private static void until(SimWorld world, long micros) {
        while (world.schedule.step(micros)) {
            world.throwIfViolated();
        }
    }

    /**
     * Violation in a shrunk history: with as few of the first faults as cause a violation, and then without each of those that it does not need.
     *
     * @param steps number of steps up to the violation
     */
    public record ShrunkFailure(Scenario scenario, InvariantViolation violation, long steps) {
        /** Throws if the seed violates nothing, which means that the simulation is not deterministic. */
        public static ShrunkFailure of(long seed, Mutation mutation) {
            Scenario whole = Scenario.of(seed);
            for (int first = 0; first <= whole.faults().size(); first++) {
                Simulation.Result result = Simulation.run(whole.withFaults(first), mutation);
                InvariantViolation violation = result.violation();
                if (violation != null) {
                    return without(new ShrunkFailure(whole.withFaults(first), violation, result.steps()), mutation);
                }
            }
            throw new IllegalArgumentException("seed must be one with a violation, got " + seed);
        }

        private static ShrunkFailure without(ShrunkFailure found, Mutation mutation) {
            ShrunkFailure shortest = found;
            for (SimFault fault : found.scenario.faults()) {
                List<SimFault> fewer = new ArrayList<>(shortest.scenario.faults());
                fewer.remove(fault);
                Simulation.Result result = Simulation.run(shortest.scenario.withFaults(fewer), mutation);
                InvariantViolation violation = result.violation();
                if (violation != null && violation.invariant().equals(found.violation.invariant())) {
                    shortest = new ShrunkFailure(result.scenario(), violation, result.steps());
                }
            }
            return shortest;
        }

        @Override
        public String toString() {
            return violation.getMessage() + "\n  at step " + steps + " of " + scenario;
        }
    }
}
