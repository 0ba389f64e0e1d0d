package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * First checks of keys that nobody has met: a burst at once in one region or in all, and after it single checks where the key may still be
 * unknown.
 */
final class FirstChecks {
    private static final List<String> KINDS = List.of("escrow", "converge", "lasting", "both");
    private static final int KEYS_MAX = 6;
    private static final long BEGIN_MICROS = 200_000;
    private static final int BURST_MAX = 150;
    private static final long PROBES_MICROS = 4_500_000;
    private static final long PROBE_GAP_MICROS = 250_000;

    private final World world;
    private final Load load;
    private final SplittableRandom random;

    FirstChecks(World world, Load load) {
        this.world = world;
        this.load = load;
        this.random = new SplittableRandom(world.scenario.seed() ^ 0x1F123BB5L);
        int keys = random.nextInt(1, KEYS_MAX);
        for (int key = 0; key < keys; key++) {
            String user = "new-" + key;
            long at = random.nextLong(BEGIN_MICROS, Scenario.LOAD_MICROS - PROBES_MICROS);
            world.schedule.at(Schedule.START_MICROS + at, () -> burst(user));
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
        // One region alone asks on: what the others were granted is idle. Or all do, so each meets the key.
        List<SimRegion> asking = random.nextBoolean() ? regions : List.of(regions.get(random.nextInt(regions.size())));
        long after = random.nextBoolean() ? 0 : random.nextLong(PROBES_MICROS);
        for (SimRegion region : asking) {
            for (long at = after + random.nextLong(PROBE_GAP_MICROS); at < PROBES_MICROS; at += PROBE_GAP_MICROS) {
                world.schedule.after(at, () -> load.ask(kind, region, user, 1));
            }
        }
    }
}
