package io.meridian.limiter.region;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;

/**
 * Clock of the region's time between two answers of its Redis: this machine's monotonic clock and an offset learnt from the
 * answers. It runs ahead by at most the round trip of the best recent answer and never behind, so that nothing that is held is
 * spent after its time. Until the first answer it is this machine's wall clock.
 */
public final class RegionClock {
    /**
     * A sample is worth less with time, as clocks drift: by a hundredth of its age. So it gives way to slower ones, but not to an answer that a
     * server which stood still gives seconds later: that would put the region's time ahead by these seconds.
     */
    private static final long AGEING = 100;
    /** Bound on the drift of two clocks while a sample is the best. */
    private static final long DRIFT_MICROS = 1_000;

    private final TimeSource time;
    private volatile Sample best;

    private record Sample(long offsetMicros, long roundTripNanos, long atNanos) {
        /** Whether both cannot be right: an offset is too large by at most its round trip. Then the region's clock was set. */
        boolean contradicts(Sample other) {
            return offsetMicros < other.earliestMicros() || other.offsetMicros < earliestMicros();
        }

        /** Whether it says at least as much now as the other does. */
        boolean isAsGoodAs(Sample other) {
            return roundTripNanos - other.roundTripNanos <= (atNanos - other.atNanos) / AGEING;
        }

        private long earliestMicros() {
            return offsetMicros - TimeUnit.NANOSECONDS.toMicros(roundTripNanos) - DRIFT_MICROS;
        }
    }

    public RegionClock(TimeSource time) {
        this.time = time;
        long nowNanos = time.monotonicNanos();
        this.best = new Sample(time.wallMicros() - TimeUnit.NANOSECONDS.toMicros(nowNanos), Long.MAX_VALUE, nowNanos);
    }

    public long nowMicros() {
        return best.offsetMicros + TimeUnit.NANOSECONDS.toMicros(time.monotonicNanos());
    }

    /** The time that {@link #learn} is told a question was sent at. */
    public long monotonicNanos() {
        return time.monotonicNanos();
    }

    /** Learns from an answer that was asked for at {@code sentNanos} and said that it is {@code regionMicros}. */
    public void learn(long regionMicros, long sentNanos) {
        long nowNanos = time.monotonicNanos();
        Sample last = best;
        Sample told =
                new Sample(regionMicros - TimeUnit.NANOSECONDS.toMicros(sentNanos), nowNanos - sentNanos, nowNanos);
        if (told.isAsGoodAs(last) || told.contradicts(last)) {
            best = told;
        }
    }

    /** By how much the region's time is ahead of this machine's wall clock. */
    public long aheadMicros() {
        return nowMicros() - time.wallMicros();
    }
}
