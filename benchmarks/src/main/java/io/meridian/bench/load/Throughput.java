package io.meridian.bench.load;

import java.util.concurrent.TimeUnit;

/** How many requests were answered in how long. */
public record Throughput(long requests, long nanos) {
    public double perSecond() {
        return (double) requests * TimeUnit.SECONDS.toNanos(1) / nanos;
    }
}
