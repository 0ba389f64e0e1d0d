package io.meridian.simulation;

import io.meridian.model.match.Check;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Scenario of a seed: the size of the world, its load, and its faults.
 *
 * @param calm whether there are no faults, so that limits must be used up
 * @param regionDelayMicros largest one-way delay between a region and Kafka without faults
 * @param joinMicros start of each region's first limiters, from the start
 * @param quiet whether each region receives checks of new keys alone, so that leaders know it by nothing else
 */
public record Scenario(
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
        List<SimFault> faults) {
    /** Duration of the load, and of the recovery after it. */
    public static final long LOAD_MICROS = 14_000_000;

    static final long QUIET_MICROS = 9_000_000;
    private static final int FAULTS_MAX = 9;
    private static final int CALM_EVERY = 5;
    /** Period of seeds with an escrow limit so large that a thousandth of it exceeds the units that regions may hold at the end. */
    private static final int LARGE_EVERY = 50;
    /** One region of this many joins late, in one history of this many. */
    private static final int LATE_EVERY = 3;

    /** Half of the regions are quiet, in one history of this many. */
    private static final int QUIET_EVERY = 5;

    private static final long JOIN_MAX_MICROS = 8_000_000;

    public static Scenario of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom starts = new SplittableRandom(~seed);
        boolean calm = seed % CALM_EVERY == 0;
        int regions = random.nextInt(2, 6);
        long limit = seed % LARGE_EVERY == 0 ? random.nextLong(3_000, 9_000) : random.nextLong(15, 90);
        SimPolicies policies =
                new SimPolicies(1, limit, random.nextLong(20, 120), random.nextLong(20, 200), random.nextLong(5, 60));
        List<SimFault> faults = new ArrayList<>();
        for (int i = calm ? 0 : random.nextInt(1, FAULTS_MAX); i > 0; i--) {
            faults.add(SimFault.drawn(random));
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

    /** Time when the last region joins, from the start. */
    public long lastJoinMicros() {
        return Collections.max(joinMicros);
    }

    /** The same scenario with its first faults only. */
    Scenario withFaults(int first) {
        return withFaults(faults.subList(0, first));
    }

    Scenario withFaults(List<SimFault> others) {
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
                new StringBuilder("seed %d: %d regions of %d, limits %d in escrow and %d converging, delay of %d ms"
                        .formatted(
                                seed,
                                regions,
                                instances,
                                policies.escrow(),
                                policies.converge(),
                                regionDelayMicros / 1_000));
        for (int i = 0; i < regions; i++) {
            if (quiet.get(i)) {
                text.append("\n  region r%d receives checks of new keys only".formatted(i));
            }
            if (joinMicros.get(i) > 0) {
                text.append("\n  %.3f s: region r%d joins".formatted(joinMicros.get(i) / 1e6, i));
            }
        }
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.toString();
    }

    /**
     * Fault of a scenario.
     *
     * @param atMicros begin, from the start
     * @param forMicros duration, where it ends by itself
     * @param who number that selects the region, limiter or replica
     * @param size severity, from 0 to 1
     * @param flag one of two variants
     */
    public record SimFault(Kind kind, long atMicros, long forMicros, int who, double size, boolean flag) {
        /** Kinds of faults. */
        public enum Kind {
            CUT_BOTH_WAYS,
            CUT_ONE_WAY,
            FLAPPING_LINK,
            SLOW_LINK,
            LOSS_AND_DUPLICATION,
            REPLICA_CUT_OFF,
            REPLICA_SLOW,
            KAFKA_DOWN,
            LIMITER_KILLED,
            LIMITER_STOPPED,
            LIMITER_JOINS,
            REPLICA_KILLED,
            REPLICA_LEAVES,
            REPLICA_JOINS,
            REPLICA_PAUSED,
            REPLICA_CRASHES_AT_A_COMMIT_POINT,
            REPLICA_PAUSED_AT_A_COMMIT_POINT,
            REDIS_FROZEN,
            REDIS_RESTARTED,
            REDIS_WIPED,
            STALE_REPLICA_PROMOTED,
            REDIS_SLOW_AND_LOSSY,
            REGION_CLOCK,
            REPLICA_CLOCK,
            LIMIT_CHANGED
        }

        private static final long FOR_MIN_MICROS = 200_000;
        private static final long FOR_MAX_MICROS = 5_000_000;

        static SimFault drawn(SplittableRandom random) {
            Kind[] kinds = Kind.values();
            return new SimFault(
                    kinds[random.nextInt(kinds.length)],
                    random.nextLong(Scenario.LOAD_MICROS),
                    random.nextLong(FOR_MIN_MICROS, FOR_MAX_MICROS),
                    random.nextInt(64),
                    random.nextDouble(),
                    random.nextBoolean());
        }

        @Override
        public String toString() {
            return "%.3f s: %s, for %.3f s, who %d, size %.2f, %s"
                    .formatted(atMicros / 1e6, kind, forMicros / 1e6, who, size, flag);
        }
    }

    /**
     * Policies of a history: an escrow limit with short windows, a converging limit with windows longer than the loop that end within the history, a
     * converging limit with windows longer than the history, and a regional limit beside the escrow limit.
     */
    public record SimPolicies(
            long version,
            long escrow,
            long converge,
            long lasting,
            long regional,
            int escrowSeconds,
            int convergeSeconds) {
        public SimPolicies(long version, long escrow, long converge, long lasting, long regional) {
            this(version, escrow, converge, lasting, regional, 5, 8);
        }

        public static final String ESCROW = "escrow";
        static final String CONVERGE = "converge";
        public static final String LASTING = "lasting";
        public static final String REGIONAL = "regional";

        public List<Policy> all() {
            return List.of(
                    policy(ESCROW, "[\"/escrow\", \"/both\"]", escrow, escrowSeconds + "s", "global", "escrow"),
                    policy(CONVERGE, "[\"/converge\"]", converge, convergeSeconds + "s", "global", "converge"),
                    policy(LASTING, "[\"/lasting\"]", lasting, "1h", "global", "converge"),
                    policy(REGIONAL, "[\"/both\"]", regional, "5s", "regional", "converge"));
        }

        private Policy policy(String id, String endpoints, long limit, String window, String scope, String mode) {
            return PolicyJson.decode("""
                    {"format": 1, "id": "%s", "applies_to": {"endpoints": %s}, "key": ["user_id"],
                     "algorithm": "fixed_window", "limit": %d, "window": "%s", "scope": "%s", "mode": "%s",
                     "on_exhausted": "deny", "version": %d,
                     "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
                    """.formatted(id, endpoints, limit, window, scope, mode, version));
        }

        /**
         * Check of a user.
         *
         * @param kind a policy's name, or {@code both} for the escrow and the regional limit
         */
        public static Check check(String kind, String user, long cost) {
            return new Check(Map.of("user_id", user), "/" + kind, "GET", Map.of(), "", cost);
        }

        public long limit(String policy) {
            return switch (policy) {
                case ESCROW -> escrow;
                case CONVERGE -> converge;
                case LASTING -> lasting;
                case REGIONAL -> regional;
                default -> throw new IllegalArgumentException("policy must be a simulated one, got " + policy);
            };
        }
    }
}
