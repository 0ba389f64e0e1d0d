package io.meridian.bench.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long the answers took from when they were due, and how late the generator itself was in asking. */
public final class Latencies {
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram answered = new Histogram(MAX_NANOS, DIGITS);
    private final Histogram sentLate = new Histogram(MAX_NANOS, DIGITS);

    void answered(long nanos) {
        answered.recordValue(Math.min(nanos, MAX_NANOS));
    }

    void sentLate(long nanos) {
        sentLate.recordValue(Math.min(nanos, MAX_NANOS));
    }

    public long count() {
        return answered.getTotalCount();
    }

    public double micros(double percentile) {
        return answered.getValueAtPercentile(percentile) / 1_000.0;
    }

    public double sentLateMicros(double percentile) {
        return sentLate.getValueAtPercentile(percentile) / 1_000.0;
    }
}
