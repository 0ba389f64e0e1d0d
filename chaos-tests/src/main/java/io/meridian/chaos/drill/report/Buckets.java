package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks counted in short stretches of time, by when they were answered: as many as a page can draw, however long the drill.
 *
 * @param seconds how long each stretch is
 */
record Buckets(double seconds, int count) {
    private static final int MOST = 480;
    private static final double LEAST_SECONDS = 0.25;
    private static final double NANOS = 1e9;

    static Buckets over(long endNanos) {
        double length = Math.max(1, endNanos / NANOS);
        double seconds = Math.max(LEAST_SECONDS, Math.ceil(length / MOST / LEAST_SECONDS) * LEAST_SECONDS);
        return new Buckets(seconds, (int) Math.ceil(length / seconds) + 1);
    }

    int of(long nanos) {
        return Math.max(0, Math.min(count - 1, (int) (nanos / NANOS / seconds)));
    }

    /** For each region what it answered to checks of a policy: {@code allowed}, {@code denied}, {@code failed}, {@code degraded}. */
    Map<String, Map<String, int[]>> rates(History history, Subject subject) {
        Map<String, Map<String, int[]>> rates = new LinkedHashMap<>();
        history.regions().forEach(region -> rates.put(region, empty()));
        for (Checked checked : history.of(Checked.class)) {
            Map<String, int[]> region = rates.get(checked.region());
            if (region == null || !checked.policy().equals(subject.policy())) {
                continue;
            }
            int bucket = of(checked.answeredNanos());
            increase(region, lower(checked), bucket);
            if (checked.degraded()) {
                increase(region, "degraded", bucket);
            }
        }
        return rates;
    }

    /** For each window, by its end, what was admitted in it in each stretch, of one region or (empty) of all. */
    Map<Long, Map<Integer, Integer>> admitted(History history, Subject subject, String region) {
        Map<Long, Map<Integer, Integer>> windows = new TreeMap<>();
        for (Checked checked : history.of(Checked.class)) {
            if (checked.policy().equals(subject.policy())
                    && checked.outcome() == Outcome.ALLOWED
                    && (region.isEmpty() || checked.region().equals(region))) {
                windows.computeIfAbsent(checked.windowEndMicros(), end -> new TreeMap<>())
                        .merge(of(checked.answeredNanos()), 1, Integer::sum);
            }
        }
        return windows;
    }

    private Map<String, int[]> empty() {
        Map<String, int[]> empty = new LinkedHashMap<>();
        for (String what : new String[] {"allowed", "denied", "failed", "degraded"}) {
            empty.put(what, new int[count]);
        }
        return empty;
    }

    private static void increase(Map<String, int[]> region, String what, int bucket) {
        int[] counts = region.get(what);
        if (counts != null) {
            counts[bucket]++;
        }
    }

    private static String lower(Checked checked) {
        return switch (checked.outcome()) {
            case ALLOWED -> "allowed";
            case DENIED -> "denied";
            case FAILED -> "failed";
        };
    }
}
