package io.meridian.simulation.world;

import io.meridian.simulation.Scenario;
import io.meridian.simulation.Scenario.SimPolicies;
import io.meridian.simulation.nodes.SimLimiter;
import io.meridian.simulation.world.SimWorld.SimRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Load of checks on every region, at random times and with rates that differ between regions. */
public final class SimLoad {
    private static final long SECOND_MICROS = 1_000_000;
    private static final long ESCROW_SECONDS = 5;
    private static final long CONVERGE_SECONDS = 8;
    /** Time in which half the demand for the lasting limit uses it up once. */
    private static final long LASTING_SECONDS = 10;

    private final SimWorld world;
    private final SplittableRandom random;
    /** Random source of first checks, so that they do not change the other checks of a seed. */
    private final SplittableRandom firstChecks;

    private boolean over;

    public SimLoad(SimWorld world) {
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
        List<SimLimiter> serving = region.serving();
        if (serving.isEmpty()) {
            return;
        }
        SimLimiter instance = serving.get(random.nextInt(serving.size()));
        String user = "u" + random.nextInt(world.scenario.users());
        long cost = random.nextLong(1, world.scenario.costMax() + 1);
        ask(kind, region, instance, user, cost);
    }

    /** Sends a check to any limiter that serves the region, if there is one. */
    public void ask(String kind, SimRegion region, String user, long cost) {
        List<SimLimiter> serving = region.serving();
        if (!serving.isEmpty()) {
            ask(kind, region, serving.get(firstChecks.nextInt(serving.size())), user, cost);
        }
    }

    private void ask(String kind, SimRegion region, SimLimiter instance, String user, long cost) {
        long askedMicros = region.redis.clock.wallMicros();
        instance.check(SimPolicies.check(kind, user, cost)).whenComplete((ruling, failure) -> {
            if (failure != null) {
                world.failed(failure);
            } else {
                world.answered(region, instance, ruling, askedMicros);
            }
        });
    }

    public void stop() {
        over = true;
    }

    /** First checks of new keys: a burst in one region or in all, and then single checks in regions that may not know the key yet. */
    public static final class FirstChecks {
        private static final List<String> KINDS = List.of("escrow", "converge", "lasting", "both");
        private static final int KEYS_MAX = 6;
        private static final long BEGIN_MICROS = 200_000;
        private static final int BURST_MAX = 150;
        private static final long PROBES_MICROS = 4_500_000;
        private static final long PROBE_GAP_MICROS = 250_000;

        private final SimWorld world;
        private final SimLoad load;
        private final SplittableRandom random;

        public FirstChecks(SimWorld world, SimLoad load) {
            this.world = world;
            this.load = load;
            this.random = new SplittableRandom(world.scenario.seed() ^ 0x1F123BB5L);
            int keys = random.nextInt(1, KEYS_MAX);
            for (int key = 0; key < keys; key++) {
                String user = "new-" + key;
                long at = random.nextLong(BEGIN_MICROS, Scenario.LOAD_MICROS - PROBES_MICROS);
                world.schedule.at(SimSchedule.START_MICROS + at, () -> burst(user));
            }
        }

        private void burst(String user) {
            String kind = KINDS.get(random.nextInt(KINDS.size()));
            long limit = world.policies().limit(kind.equals("both") ? SimPolicies.ESCROW : kind);
            int checks = (int) Math.min(BURST_MAX, random.nextLong(1, 2 * limit + 1));
            List<SimRegion> regions = new ArrayList<>(world.regions());
            SimRegion first = regions.remove(random.nextInt(regions.size()));
            boolean everywhere = random.nextInt(3) == 0;
            for (int i = 0; i < checks; i++) {
                SimRegion region = everywhere
                        ? world.regions().get(random.nextInt(world.regions().size()))
                        : first;
                load.ask(kind, region, user, 1);
            }
            // Either one region alone goes on, so that the grants of the others are idle, or all do, so that each uses
            // the key.
            List<SimRegion> asking =
                    random.nextBoolean() ? regions : List.of(regions.get(random.nextInt(regions.size())));
            long after = random.nextBoolean() ? 0 : random.nextLong(PROBES_MICROS);
            for (SimRegion region : asking) {
                for (long at = after + random.nextLong(PROBE_GAP_MICROS); at < PROBES_MICROS; at += PROBE_GAP_MICROS) {
                    world.schedule.after(at, () -> load.ask(kind, region, user, 1));
                }
            }
        }
    }
}
