package io.meridian.bench.limiter;

import io.meridian.testkit.load.LoadResult;

/** One phase: how many requests a second, and what one cost the measured process. */
record Sample(long requests, double perSecond, double cpuMicros, double allocatedBytes) {
    static Sample of(LoadResult result, Meter before, Meter after) {
        return new Sample(
                result.requests(),
                result.perSecond(),
                (after.cpuNanos() - before.cpuNanos()) / 1_000.0 / result.requests(),
                (double) (after.allocatedBytes() - before.allocatedBytes()) / result.requests());
    }
}
