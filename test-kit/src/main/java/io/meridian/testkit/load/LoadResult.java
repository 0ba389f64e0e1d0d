package io.meridian.testkit.load;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.Histogram;

/**
 * Answers of a load by status, requests without an answer by the kind of failure, and times. A time counts from when the request was due.
 * Counts may be read while the load runs, times when it has ended.
 */
public final class LoadResult {
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;
    private static final int STATUS_MAX = 599;
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;

    private final String name;
    private final AtomicIntegerArray statuses = new AtomicIntegerArray(STATUS_MAX + 1);
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Histogram ended = new Histogram(MAX_NANOS, DIGITS);
    private final Histogram sentLate = new Histogram(MAX_NANOS, DIGITS);
    private long nanos;

    LoadResult(String name) {
        this.name = name;
    }

    void answered(int status, long tookNanos) {
        statuses.incrementAndGet(Math.min(status, STATUS_MAX));
        ended.recordValue(Math.min(tookNanos, MAX_NANOS));
    }

    void failed(String kind, long tookNanos) {
        failures.merge(kind, 1, Integer::sum);
        ended.recordValue(Math.min(tookNanos, MAX_NANOS));
    }

    void sentLate(long lateNanos) {
        sentLate.recordValue(Math.min(lateNanos, MAX_NANOS));
    }

    void took(long allNanos) {
        nanos = allNanos;
    }

    /** How many answers had each HTTP status. */
    public SortedMap<Integer, Integer> statuses() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int status = 0; status <= STATUS_MAX; status++) {
            if (statuses.get(status) > 0) {
                counts.put(status, statuses.get(status));
            }
        }
        return counts;
    }

    /** How many requests had no answer, by the kind of exception. */
    public Map<String, Integer> failures() {
        return new TreeMap<>(failures);
    }

    public int count(int status) {
        return statuses.get(status);
    }

    /** Requests that have their answer, or have failed. */
    public long requests() {
        long answered = 0;
        for (int status = 0; status <= STATUS_MAX; status++) {
            answered += statuses.get(status);
        }
        return answered + failures.values().stream().mapToInt(Integer::intValue).sum();
    }

    public double perSecond() {
        return (double) requests() * TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    /** From the start of the load to its last answer. */
    public long nanos() {
        return nanos;
    }

    /** The time that this percentage of the requests, answered or not, did not exceed: 99 for the 99th percentile. */
    public double micros(double percentile) {
        return ended.getValueAtPercentile(percentile) / 1_000.0;
    }

    /** How late the generator itself was in sending what was due. */
    public double sentLateMicros(double percentile) {
        return sentLate.getValueAtPercentile(percentile) / 1_000.0;
    }

    /** Throws unless every answer was 200: a figure of anything else would be one of something else. */
    public LoadResult requireAllAllowed() {
        long all = requests();
        long denied = count(TOO_MANY_REQUESTS);
        long other = all - count(OK) - denied;
        if (count(OK) != all) {
            throw new IllegalStateException(
                    name + ": of " + all + " requests " + denied + " were answered with 429 and " + other
                            + " with neither 200 nor 429: statuses " + statuses() + ", failures " + failures());
        }
        return this;
    }

    @Override
    public String toString() {
        return "%d requests, statuses %s, failures %s, p50 %.1f ms, p99 %.1f ms, max %.1f ms"
                .formatted(requests(), statuses(), failures(), micros(50) / 1e3, micros(99) / 1e3, micros(100) / 1e3);
    }
}
