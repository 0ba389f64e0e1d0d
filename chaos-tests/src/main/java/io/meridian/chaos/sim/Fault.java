package io.meridian.chaos.sim;

import java.util.SplittableRandom;

/**
 * One thing that goes wrong.
 *
 * @param atMicros when, from the start
 * @param forMicros for how long, where it ends by itself
 * @param who which of the regions, instances or replicas
 * @param size how bad, from 0 to 1
 * @param flag one of two ways
 */
record Fault(Kind kind, long atMicros, long forMicros, int who, double size, boolean flag) {
    /** What can go wrong. */
    enum Kind {
        CUT_BOTH_WAYS,
        CUT_ONE_WAY,
        FLAPPING_LINK,
        SLOW_LINK,
        LOSS_AND_DUPLICATION,
        REPLICA_CUT_OFF,
        REPLICA_SLOW,
        KAFKA_AWAY,
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

    static Fault drawn(SplittableRandom random) {
        Kind[] kinds = Kind.values();
        return new Fault(
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
