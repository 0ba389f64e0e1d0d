package io.meridian.drill.report;

import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.LeaderObserved;
import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.Recovered;
import io.meridian.drill.history.Subject;
import io.meridian.drill.history.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Data of the timeline page: the history, reduced to what a page can draw. Times are seconds since the begin of the drill. */
final class TimelineData {
    private static final double NANOS = 1e9;
    /** Bound on leader changes and on recoveries; the rest is left out. */
    private static final int MARKS_MAX = 500;

    private final DrillHistory history;
    private final Timeline timeline;
    private final Buckets buckets;

    TimelineData(DrillHistory history, Timeline timeline) {
        this.history = history;
        this.timeline = timeline;
        buckets = Buckets.over(timeline.endNanos());
    }

    Map<String, Object> all(List<WindowRow> windows) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("started", history.startedAt().toString());
        data.put("seconds", timeline.endNanos() / NANOS);
        data.put("step", buckets.seconds());
        data.put("regions", history.regions());
        data.put(
                "phases",
                timeline.phases().stream()
                        .map(span -> Map.of(
                                "name",
                                span.phase().name(),
                                "from",
                                span.fromNanos() / NANOS,
                                "to",
                                span.toNanos() / NANOS))
                        .toList());
        data.put(
                "faults",
                timeline.faults().stream()
                        .map(span -> Map.of(
                                "description",
                                span.description(),
                                "from",
                                span.fromNanos() / NANOS,
                                "to",
                                span.toNanos() / NANOS,
                                "ended",
                                span.ended()))
                        .toList());
        data.put(
                "policies",
                history.subjects().stream()
                        .map(subject -> policy(subject, windows))
                        .toList());
        data.put("loops", loops());
        data.put("leaders", leaders());
        data.put(
                "recovered",
                history.of(Recovered.class).stream()
                        .limit(MARKS_MAX)
                        .map(event -> Map.of("at", event.atNanos() / NANOS, "what", event.what()))
                        .toList());
        return data;
    }

    private Map<String, Object> policy(Subject subject, List<WindowRow> windows) {
        boolean regional = subject.sharing() == Subject.Sharing.REGIONAL;
        Map<String, Object> policy = new LinkedHashMap<>();
        policy.put("name", subject.policy());
        policy.put("key", subject.key());
        policy.put("sharing", subject.sharing().name());
        policy.put("limit", subject.limit());
        policy.put("window", subject.window().toMillis() / 1e3);
        policy.put("rates", buckets.rates(history, subject));
        Map<String, Object> lines = new LinkedHashMap<>();
        (regional ? history.regions() : List.of(""))
                .forEach(region -> lines.put(region, buckets.admitted(history, subject, region)));
        policy.put("admitted", lines);
        policy.put(
                "windows",
                windows.stream()
                        .filter(row -> row.policy().equals(subject.policy()))
                        .toList());
        return policy;
    }

    /** For each region the slowest loop, and the longest time without verdicts, of each bucket with a sample. */
    private Map<String, List<double[]>> loops() {
        Map<String, List<double[]>> loops = new LinkedHashMap<>();
        for (String region : history.regions()) {
            Map<Integer, double[]> slowest = new TreeMap<>();
            for (LoopSampled seen : history.of(LoopSampled.class)) {
                if (seen.region().equals(region)) {
                    double[] at = slowest.computeIfAbsent(
                            buckets.of(seen.atNanos()), bucket -> new double[] {seen.atNanos() / NANOS, -1, -1});
                    at[1] = Math.max(at[1], Double.isNaN(seen.maxMillis()) ? -1 : seen.maxMillis());
                    at[2] = Math.max(at[2], Double.isNaN(seen.silentMillis()) ? -1 : seen.silentMillis());
                }
            }
            loops.put(region, new ArrayList<>(slowest.values()));
        }
        return loops;
    }

    private List<Map<String, Object>> leaders() {
        return history.of(LeaderObserved.class).stream()
                .limit(MARKS_MAX)
                .map(seen -> Map.<String, Object>of(
                        "at", seen.atNanos() / NANOS,
                        "partition", seen.partition(),
                        "leader", seen.leader(),
                        "epoch", seen.epoch()))
                .toList();
    }

    /**
     * Time buckets for counts of checks by their answer times: as many as a page can draw, for a drill of any length.
     *
     * @param seconds length of a bucket
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

        /** Counts of answers of a policy by region and kind: {@code allowed}, {@code denied}, {@code failed}, {@code degraded}. */
        Map<String, Map<String, int[]>> rates(DrillHistory history, Subject subject) {
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

        /** Admitted units by end of window and bucket, of one region or (empty) of all. */
        Map<Long, Map<Integer, Integer>> admitted(DrillHistory history, Subject subject, String region) {
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
}
