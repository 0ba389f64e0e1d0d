package io.meridian.bench.limiter;

import io.meridian.bench.load.Throughput;

/** One phase: how many requests a second, and what one cost the measured process. */
record Sample(long requests, double perSecond, double cpuMicros, double allocatedBytes) {
    static Sample of(Throughput throughput, Meter before, Meter after) {
        return new Sample(
                throughput.requests(),
                throughput.perSecond(),
                (after.cpuNanos() - before.cpuNanos()) / 1_000.0 / throughput.requests(),
                (double) (after.allocatedBytes() - before.allocatedBytes()) / throughput.requests());
    }
}
