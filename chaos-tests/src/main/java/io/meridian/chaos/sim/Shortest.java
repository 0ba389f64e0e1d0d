package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A violation in as little as shows it: the history up to the step at which it is seen, first with as few of its first faults as
 * will do, then without each of those that are not needed.
 *
 * @param steps how many things happen until it is seen
 */
public record Shortest(Scenario scenario, Violation violation, long steps) {
    /** Fails if the seed violates nothing: what violated something a moment ago then was not played again. */
    public static Shortest of(long seed, Broken broken) {
        Scenario whole = Scenario.of(seed);
        for (int first = 0; first <= whole.faults().size(); first++) {
            Simulation.Result result = Simulation.run(whole.withFaults(first), broken);
            Violation violation = result.violation();
            if (violation != null) {
                return without(new Shortest(whole.withFaults(first), violation, result.steps()), broken);
            }
        }
        throw new IllegalArgumentException("seed must be one that violates something, got " + seed);
    }

    private static Shortest without(Shortest found, Broken broken) {
        Shortest shortest = found;
        for (Fault fault : found.scenario.faults()) {
            List<Fault> fewer = new ArrayList<>(shortest.scenario.faults());
            fewer.remove(fault);
            Simulation.Result result = Simulation.run(shortest.scenario.withFaults(fewer), broken);
            Violation violation = result.violation();
            if (violation != null && violation.invariant().equals(found.violation.invariant())) {
                shortest = new Shortest(result.scenario(), violation, result.steps());
            }
        }
        return shortest;
    }

    @Override
    public String toString() {
        return violation.getMessage() + "\n  at step " + steps + " of " + scenario;
    }
}
