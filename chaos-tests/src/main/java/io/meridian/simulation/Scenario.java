package io.meridian.chaos.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What a seed means: how large the world is, how it is asked, and what goes wrong when.
 *
 * @param calm whether nothing goes wrong: then what is there to be used has to be used up
 * @param regionDelayMicros the longest way between a region and Kafka while all is well
 * @param joinMicros when each region's first limiters start, from the start
 * @param quiet whether each region is asked for new keys alone, so that leaders know it from nothing else
 */
record Scenario(
        long seed,
        boolean calm,
        int regions,
        int instances,
        int users,
        SimPolicies policies,
        double demand,
        long costMax,
        long regionDelayMicros,
        List<Long> joinMicros,
        List<Boolean> quiet,
        List<Fault> faults) {
    /** How long the world is asked, and how long it then has to mend and to settle. */
    static final long LOAD_MICROS = 14_000_000;

    static final long QUIET_MICROS = 9_000_000;
    private static final int FAULTS_MAX = 9;
    private static final int CALM_EVERY = 5;
    /** Some of the calm ones have a limit in escrow of which a thousandth is more than what regions may have left in their hands. */
    private static final int LARGE_EVERY = 50;
    /** One region in so many joins late, in one history in so many. */
    private static final int LATE_EVERY = 3;

    /** Half of the regions are quiet, in one history in so many. */
    private static final int QUIET_EVERY = 5;

    private static final long JOIN_MAX_MICROS = 8_000_000;

    static Scenario of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom starts = new SplittableRandom(~seed);
        boolean calm = seed % CALM_EVERY == 0;
        int regions = random.nextInt(2, 6);
        long limit = seed % LARGE_EVERY == 0 ? random.nextLong(3_000, 9_000) : random.nextLong(15, 90);
        SimPolicies policies =
                new SimPolicies(1, limit, random.nextLong(20, 120), random.nextLong(20, 200), random.nextLong(5, 60));
        List<Fault> faults = new ArrayList<>();
        for (int i = calm ? 0 : random.nextInt(1, FAULTS_MAX); i > 0; i--) {
            faults.add(Fault.drawn(random));
        }
        faults.sort((a, b) -> Long.compare(a.atMicros(), b.atMicros()));
        return new Scenario(
                seed,
                calm,
                regions,
                random.nextInt(1, 3),
                random.nextInt(1, 3),
                policies,
                random.nextDouble(1.5, 3),
                calm ? 1 : random.nextLong(1, 5),
                random.nextLong(10_000, 150_000),
                joins(regions, starts),
                quiet(regions, starts),
                List.copyOf(faults));
    }

    private static List<Long> joins(int regions, SplittableRandom random) {
        boolean all = random.nextInt(LATE_EVERY) > 0;
        return Stream.generate(() -> all || random.nextInt(LATE_EVERY) > 0 ? 0L : random.nextLong(JOIN_MAX_MICROS))
                .limit(regions)
                .toList();
    }

    private static List<Boolean> quiet(int regions, SplittableRandom random) {
        boolean none = random.nextInt(QUIET_EVERY) > 0;
        return Stream.generate(() -> !none && random.nextBoolean())
                .limit(regions)
                .toList();
    }

    /** When the last region joins, from the start. */
    long lastJoinMicros() {
        return Collections.max(joinMicros);
    }

    /** The same with only its first faults. */
    Scenario withFaults(int first) {
        return withFaults(faults.subList(0, first));
    }

    Scenario withFaults(List<Fault> others) {
        return new Scenario(
                seed,
                calm,
                regions,
                instances,
                users,
                policies,
                demand,
                costMax,
                regionDelayMicros,
                joinMicros,
                quiet,
                List.copyOf(others));
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("seed %d: %d regions of %d, limits %d in escrow and %d converging, ways of %d ms"
                        .formatted(
                                seed,
                                regions,
                                instances,
                                policies.escrow(),
                                policies.converge(),
                                regionDelayMicros / 1_000));
        for (int i = 0; i < regions; i++) {
            if (quiet.get(i)) {
                text.append("\n  region r%d is asked for new keys alone".formatted(i));
            }
            if (joinMicros.get(i) > 0) {
                text.append("\n  %.3f s: region r%d joins".formatted(joinMicros.get(i) / 1e6, i));
            }
        }
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.toString();
    }
}
