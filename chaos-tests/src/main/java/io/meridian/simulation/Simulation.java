package io.meridian.chaos.sim;

import org.jspecify.annotations.Nullable;

/** One history from its seed: the same seed, the same history, to the last step. */
public final class Simulation {
    private Simulation() {}

    /**
     * How a history went.
     *
     * @param violation what does not hold, null if all does
     * @param steps how many things happened, until then if something does not hold
     * @param digest the same for the same history
     */
    public record Result(
            Scenario scenario,
            @Nullable Violation violation,
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

    public static Result run(long seed, Broken broken) {
        return run(Scenario.of(seed), broken);
    }

    static Result run(Scenario scenario, Broken broken) {
        World world = new World(scenario, broken);
        Violation found = null;
        try {
            play(world);
        } catch (RuntimeException | Error crash) {
            found = Violation.crash(crash);
        }
        Witness.Tally tally = world.witness.tally();
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

    private static void play(World world) {
        Faults faults = new Faults(world);
        Load load = new Load(world);
        new FirstChecks(world, load);
        until(world, Schedule.START_MICROS + Scenario.LOAD_MICROS);
        load.stop();
        faults.heal();
        until(world, Schedule.START_MICROS + Scenario.LOAD_MICROS + Scenario.QUIET_MICROS);
        new Ending(world).check();
    }

    private static void until(World world, long micros) {
        while (world.schedule.step(micros)) {
            world.throwIfViolated();
        }
    }
}
