package io.meridian.simulation;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.model.decision.Decision;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.simulation.world.SimWorld;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** SimWorld under a load of evenly spaced requests for one policy, and all answers to them. */
final class EvenLoad {
    static final int REGIONS = 5;
    private static final List<Long> FROM_THE_START = Collections.nCopies(REGIONS, 0L);
    private static final List<Boolean> NONE_QUIET = Collections.nCopies(REGIONS, false);
    static final int WINDOW_SECONDS = 10;
    static final long WINDOW_MICROS = WINDOW_SECONDS * 1_000_000L;
    /** Longest way between a region and Kafka. */
    static final long WAY_MICROS = 15_000;
    /**
     * Ways that a loop takes: what is used while a report is under way is reported after its acknowledgement, which is two of them; then
     * one there and one back.
     */
    static final long NETWORK_MICROS = 4 * WAY_MICROS;

    private static final double SECOND_MICROS = 1_000_000;
    private static final Logger PRODUCTION = Logger.getLogger("io.meridian");

    final SimWorld world;
    private final String policy;
    private final List<Answer> answers = new ArrayList<>();
    private final double[] perSecond = new double[REGIONS];

    /** Answer to one request of cost 1. */
    record Answer(int region, long sentMicros, long answeredMicros, long windowMicros, boolean allowed) {}

    /** @param calm whether nothing goes wrong */
    EvenLoad(long seed, String policy, long limit, boolean calm, Mutation mutation) {
        PRODUCTION.setLevel(Level.OFF);
        this.policy = policy;
        SimPolicies limits = new SimPolicies(1, limit, limit, limit, limit, WINDOW_SECONDS, WINDOW_SECONDS);
        world = new SimWorld(
                new Scenario(
                        seed, calm, REGIONS, 2, 1, limits, 1, 1, WAY_MICROS, FROM_THE_START, NONE_QUIET, List.of()),
                mutation);
        for (int region = 0; region < REGIONS; region++) {
            rate(region, demandPerSecond(limit) / REGIONS);
            next(region, 0);
        }
    }

    /** Demand of all regions: the limit is asked for twice in every window. */
    static double demandPerSecond(long limit) {
        return 2.0 * limit / WINDOW_SECONDS;
    }

    void rate(int region, double requestsPerSecond) {
        perSecond[region] = requestsPerSecond;
    }

    private void next(int region, int number) {
        long gap = (long) (SECOND_MICROS / perSecond[region]);
        // Regions ask in turn.
        long first = number == 0 ? gap * region / REGIONS : 0;
        world.schedule.after(gap + first, () -> {
            ask(world.regions().get(region), region, number);
            next(region, number + 1);
        });
    }

    private void ask(SimRegion region, int number, int turn) {
        SimLimiter instance = region.instances.get(turn % region.instances.size());
        long sent = world.nowMicros();
        instance.check(SimPolicies.check(policy, "u", 1)).whenComplete((ruling, failure) -> {
            if (failure == null) {
                world.answered(region, instance, ruling, sent);
                answers.add(answer(number, sent, (CheckResult.Decided) ruling));
            } else {
                world.failed(failure);
            }
        });
    }

    private Answer answer(int region, long sent, CheckResult.Decided decided) {
        long end = decided.decision().limits().get(0).standing().resetAtMicros();
        return new Answer(
                region, sent, world.nowMicros(), end - WINDOW_MICROS, decided.decision() instanceof Decision.Allowed);
    }

    /** Plays until so long after the start. What violates an invariant is thrown by {@link SimWorld#throwIfViolated}. */
    void until(long micros) {
        while (world.schedule.step(SimSchedule.START_MICROS + micros)) {
            // One thing after the other.
        }
    }

    /** Allowed requests of a window, in the order of their answers. */
    List<Answer> allowed(int window) {
        return answers.stream()
                .filter(each -> each.allowed && each.windowMicros == SimSchedule.START_MICROS + window * WINDOW_MICROS)
                .toList();
    }
}
