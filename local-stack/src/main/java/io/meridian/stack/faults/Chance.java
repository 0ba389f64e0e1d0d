package io.meridian.stack.faults;

import java.util.SplittableRandom;

/** The seeded chance of one connection: the same seed and the same order of connections draw the same faults. */
record Chance(long seed, long linkNumber) {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Whether a toxic affects this connection; the draw depends on nothing but seed, connection and toxic. */
    boolean affects(Toxic toxic) {
        return random(toxic.name().hashCode()).nextDouble() < toxic.toxicity();
    }

    /** The jitter of one direction, a stream of draws. */
    SplittableRandom jitter(Direction direction) {
        return random(direction.wireName().hashCode());
    }

    private SplittableRandom random(long purpose) {
        return new SplittableRandom((seed * SPREAD + linkNumber) * SPREAD + purpose);
    }
}
