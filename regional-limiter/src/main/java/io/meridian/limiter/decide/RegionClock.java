package io.meridian.limiter.decide;

import io.meridian.model.time.TimeSource;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/**
 * The region's time between two answers of its Redis: this machine's monotonic clock and an offset learnt from the answers.
 * It runs ahead by at most the round trip of the best recent answer and never behind, so that nothing that is held is spent
 * after its time. Until the first answer it is this machine's wall clock.
 */
@Singleton
public class RegionClock {
    private static final long BEST_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TimeSource time;
    private volatile Sample best;

    private record Sample(long offsetMicros, long roundTripNanos, long atNanos) {}

    RegionClock(TimeSource time) {
        this.time = time;
        long nowNanos = time.monotonicNanos();
        this.best = new Sample(
                time.wallMicros() - TimeUnit.NANOSECONDS.toMicros(nowNanos), Long.MAX_VALUE, nowNanos - BEST_FOR_NANOS);
    }

    public long nowMicros() {
        return best.offsetMicros + TimeUnit.NANOSECONDS.toMicros(time.monotonicNanos());
    }

    /** Learns from an answer that was asked for at {@code sentNanos} and said that it is {@code regionMicros}. */
    public void learn(long regionMicros, long sentNanos) {
        long nowNanos = time.monotonicNanos();
        Sample last = best;
        long roundTripNanos = nowNanos - sentNanos;
        if (roundTripNanos <= last.roundTripNanos || nowNanos - last.atNanos >= BEST_FOR_NANOS) {
            best = new Sample(regionMicros - TimeUnit.NANOSECONDS.toMicros(sentNanos), roundTripNanos, nowNanos);
        }
    }

    /** By how much the region's time is ahead of this machine's wall clock. */
    public long aheadMicros() {
        return nowMicros() - time.wallMicros();
    }
}
