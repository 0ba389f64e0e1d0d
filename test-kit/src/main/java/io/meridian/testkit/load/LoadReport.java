package io.meridian.testkit.load;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How a load was answered. */
public final class LoadReport {
    private static final double NANOS_PER_MILLI = 1e6;

    private final SortedMap<Integer, Long> statuses;
    private final SortedMap<String, Long> failures;
    private final long[] sortedNanos;

    LoadReport(Map<Integer, Long> statuses, Map<String, Long> failures, long[] nanos) {
        this.statuses = new TreeMap<>(statuses);
        this.failures = new TreeMap<>(failures);
        this.sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    /** How many answers had each HTTP status. */
    public Map<Integer, Long> statuses() {
        return statuses;
    }

    /** How many requests had no answer, by the kind of exception. */
    public Map<String, Long> failures() {
        return failures;
    }

    public long count(int status) {
        return statuses.getOrDefault(status, 0L);
    }

    public long requests() {
        return sortedNanos.length;
    }

    /** The time that this share of the requests, answered or not, did not exceed: 0.99 for the 99th percentile. */
    public double millis(double share) {
        int rank = (int) Math.ceil(share * sortedNanos.length);
        return sortedNanos.length == 0
                ? 0
                : sortedNanos[Math.max(1, Math.min(rank, sortedNanos.length)) - 1] / NANOS_PER_MILLI;
    }

    @Override
    public String toString() {
        return "%d requests, statuses %s, failures %s, p50 %.1f ms, p99 %.1f ms, max %.1f ms"
                .formatted(requests(), statuses, failures, millis(0.5), millis(0.99), millis(1));
    }
}
