package io.meridian.chaos.drill.report;

import io.meridian.chaos.drill.history.Event.LeaderSeen;
import io.meridian.chaos.drill.history.Event.LoopSeen;
import io.meridian.chaos.drill.history.Event.Recovered;
import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.verdict.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the page draws: the history, thinned out to what can be seen. Times are seconds since the drill began. */
final class PageData {
    private static final double NANOS = 1e9;
    /** Leader changes and recoveries beyond this are left out, and the page says so. */
    private static final int MARKS_MAX = 500;

    private final History history;
    private final Timeline timeline;
    private final Buckets buckets;

    PageData(History history, Timeline timeline) {
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
                                "words",
                                span.words(),
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

    /** For each region the slowest loop, and the longest silence, of each stretch in which there is a sample. */
    private Map<String, List<double[]>> loops() {
        Map<String, List<double[]>> loops = new LinkedHashMap<>();
        for (String region : history.regions()) {
            Map<Integer, double[]> slowest = new TreeMap<>();
            for (LoopSeen seen : history.of(LoopSeen.class)) {
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
        return history.of(LeaderSeen.class).stream()
                .limit(MARKS_MAX)
                .map(seen -> Map.<String, Object>of(
                        "at", seen.atNanos() / NANOS,
                        "partition", seen.partition(),
                        "leader", seen.leader(),
                        "epoch", seen.epoch()))
                .toList();
    }
}
