package io.meridian.chaos.sim;

import java.util.List;
import java.util.SplittableRandom;

/** API servers of every region, who ask at rates that differ between regions and move with time. */
final class Load {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long ESCROW_SECONDS = 5;
    private static final long CONVERGE_SECONDS = 8;
    /** So long half the demand for the lasting limit takes to use it up, once. */
    private static final long LASTING_SECONDS = 10;

    private final World world;
    private final SplittableRandom random;
    /** Of its own, so that what else is asked stays as it is. */
    private final SplittableRandom firstChecks;

    private boolean over;

    Load(World world) {
        this.world = world;
        this.random = world.random.split();
        this.firstChecks = random.split();
        SimPolicies limits = world.scenario.policies();
        double costMean = (1 + world.scenario.costMax()) / 2.0;
        double demand = world.scenario.demand() / costMean;
        start("escrow", demand * limits.escrow() / ESCROW_SECONDS * 0.8);
        start("both", demand * limits.escrow() / ESCROW_SECONDS * 0.3);
        start("converge", demand * limits.converge() / CONVERGE_SECONDS);
        start("lasting", demand * limits.lasting() / LASTING_SECONDS * 0.5);
    }

    private void start(String kind, double perSecond) {
        double[] weights = new double[world.regions().size()];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = random.nextInt(3) == 0 ? 0.05 : random.nextDouble(0.2, 1);
            sum += weights[i];
        }
        for (int i = 0; i < weights.length; i++) {
            if (!world.scenario.quiet().get(i)) {
                SimRegion region = world.regions().get(i);
                next(kind, region, perSecond * world.scenario.users() * weights[i] / sum);
            }
        }
    }

    private void next(String kind, SimRegion region, double perSecond) {
        long gap = (long) (-Math.log(1 - random.nextDouble()) * SECOND_MICROS / perSecond);
        world.schedule.after(Math.min(gap, 60 * SECOND_MICROS), () -> {
            if (!over) {
                ask(kind, region);
                next(kind, region, perSecond);
            }
        });
    }

    private void ask(String kind, SimRegion region) {
        List<SimInstance> serving = region.serving();
        if (serving.isEmpty()) {
            return;
        }
        SimInstance instance = serving.get(random.nextInt(serving.size()));
        String user = "u" + random.nextInt(world.scenario.users());
        long cost = random.nextLong(1, world.scenario.costMax() + 1);
        ask(kind, region, instance, user, cost);
    }

    /** A check at any limiter that serves the region; none if there is no such limiter. */
    void ask(String kind, SimRegion region, String user, long cost) {
        List<SimInstance> serving = region.serving();
        if (!serving.isEmpty()) {
            ask(kind, region, serving.get(firstChecks.nextInt(serving.size())), user, cost);
        }
    }

    private void ask(String kind, SimRegion region, SimInstance instance, String user, long cost) {
        long askedMicros = region.redis.clock.wallMicros();
        instance.check(SimPolicies.check(kind, user, cost)).whenComplete((ruling, failure) -> {
            if (failure != null) {
                world.failed(failure);
            } else {
                world.answered(region, instance, ruling, askedMicros);
            }
        });
    }

    void stop() {
        over = true;
    }
}
