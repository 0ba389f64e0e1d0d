package io.meridian.stack.faults;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.meridian.stack.faults.DelayLine.Chunk;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.Toxic.ToxicChain;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Combined effect of the toxics in force on one direction of one connection. Delays of several toxics add up, the narrowest
 * bandwidth counts, and any swallowing fault swallows everything.
 *
 * @param bytesPerSecond 0 is unlimited
 * @param swallowing the swallowing faults by the name of their toxic
 */
record LinkConditions(
        long latencyNanos,
        long jitterNanos,
        long closeDelayNanos,
        long bytesPerSecond,
        Map<String, ToxicEffect.Swallowing> swallowing) {
    private static final long KILOBYTE = 1000;

    LinkConditions {
        swallowing = Map.copyOf(swallowing);
    }

    static LinkConditions of(ToxicChain chain, Direction direction, Chance chance) {
        List<Toxic> felt = chain.toxics().stream()
                .filter(toxic -> toxic.direction() == direction && chance.affects(toxic))
                .toList();
        return new LinkConditions(
                MILLISECONDS.toNanos(each(felt, ToxicEffect.Latency.class, ToxicEffect.Latency::latencyMillis)
                        .sum()),
                MILLISECONDS.toNanos(each(felt, ToxicEffect.Latency.class, ToxicEffect.Latency::jitterMillis)
                        .sum()),
                MILLISECONDS.toNanos(each(felt, ToxicEffect.SlowClose.class, ToxicEffect.SlowClose::delayMillis)
                        .sum()),
                each(felt, ToxicEffect.Bandwidth.class, ToxicEffect.Bandwidth::rateKilobytes)
                                .min()
                                .orElse(0)
                        * KILOBYTE,
                felt.stream()
                        .filter(toxic -> toxic.effect() instanceof ToxicEffect.Swallowing)
                        .collect(Collectors.toMap(Toxic::name, toxic -> (ToxicEffect.Swallowing) toxic.effect())));
    }

    boolean swallow() {
        return !swallowing.isEmpty();
    }

    /** Point of the monotonic clock at which a chunk may leave, given when the one before it left. */
    long dueNanos(Chunk chunk, long lineFreeNanos) {
        long delay = Math.max(0, latencyNanos + (long) (jitterNanos * chunk.draw()));
        long ready = chunk.arrivedNanos() + delay + (chunk.isEnd() ? closeDelayNanos : 0);
        if (bytesPerSecond == 0) {
            return ready;
        }
        // Points of a monotonic clock are compared by their difference, which survives its wrapping around.
        long start = ready - lineFreeNanos > 0 ? ready : lineFreeNanos;
        return start + SECONDS.toNanos(chunk.bytes().length) / bytesPerSecond;
    }

    private static <F extends ToxicEffect> LongStream each(
            List<Toxic> toxics, Class<F> kind, ToLongFunction<F> amount) {
        return toxics.stream()
                .map(Toxic::effect)
                .filter(kind::isInstance)
                .map(kind::cast)
                .mapToLong(amount);
    }

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
}
