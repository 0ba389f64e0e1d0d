package io.meridian.chaos.global;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** A few delays, in order. */
record Delays(List<Long> nanos) {
    Delays {
        nanos = nanos.stream().sorted().toList();
    }

    /** The delay that this share did not exceed, 0 if there are none: 0.99 for the 99th percentile. */
    long millis(double share) {
        int rank = Math.max(1, (int) Math.ceil(share * nanos.size()));
        return nanos.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos.get(rank - 1));
    }

    @Override
    public String toString() {
        return "p50 %d ms, p99 %d ms, max %d ms of %d".formatted(millis(0.5), millis(0.99), millis(1), nanos.size());
    }
}
