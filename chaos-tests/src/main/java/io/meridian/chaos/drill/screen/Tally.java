package io.meridian.chaos.drill.screen;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.history.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How a drill stands by the events so far. Its size goes with regions, limits and partitions, not with how long it lasts. */
final class Tally {
    private final List<String> regions;
    private final List<Subject> subjects;
    private final Map<String, RegionCount> counts = new LinkedHashMap<>();
    private final Map<String, OpenWindow> windows = new LinkedHashMap<>();
    private final Map<String, String> faults = new LinkedHashMap<>();
    private final Map<Integer, String> leaders = new TreeMap<>();
    private Phase phase = Phase.WARM_UP;
    private long phaseNanos;
    private int parts = 1;
    private String lastReason = "";

    Tally(List<String> regions, List<Subject> subjects) {
        this.regions = List.copyOf(regions);
        this.subjects = List.copyOf(subjects);
        regions.forEach(region -> counts.put(region, RegionCount.NONE));
        subjects.forEach(subject -> windows.put(subject.policy(), new OpenWindow()));
    }

    void accept(Event event) {
        if (event instanceof Event.Checked checked) {
            checked(checked);
        } else if (event instanceof Event.PhaseBegan began) {
            phase = began.phase();
            phaseNanos = began.atNanos();
        } else if (event instanceof Event.FaultBegan began) {
            faults.put(began.fault(), began.words());
        } else if (event instanceof Event.FaultEnded ended) {
            faults.remove(ended.fault());
        } else if (event instanceof Event.WorldSplit split) {
            parts = split.parts();
        } else if (event instanceof Event.LeaderSeen seen) {
            leaders.put(seen.partition(), seen.leader());
        }
    }

    private void checked(Event.Checked checked) {
        boolean allowed = checked.outcome() == Event.Outcome.ALLOWED;
        boolean failed = checked.outcome() == Event.Outcome.FAILED;
        RegionCount one =
                new RegionCount(allowed ? 1 : 0, allowed || failed ? 0 : 1, failed ? 1 : 0, checked.degraded() ? 1 : 0);
        counts.computeIfPresent(checked.region(), (region, count) -> count.plus(one));
        OpenWindow window = windows.get(checked.policy());
        if (window != null && !failed) {
            window.admit(checked.windowEndMicros(), checked.region(), allowed);
        }
        lastReason = failed ? checked.reason() : lastReason;
    }

    List<String> regions() {
        return regions;
    }

    List<Subject> subjects() {
        return subjects;
    }

    Map<String, RegionCount> counts() {
        return new LinkedHashMap<>(counts);
    }

    RegionCount all() {
        return counts.values().stream().reduce(RegionCount.NONE, RegionCount::plus);
    }

    OpenWindow window(Subject subject) {
        return windows.getOrDefault(subject.policy(), new OpenWindow());
    }

    List<String> faults() {
        return List.copyOf(faults.values());
    }

    /** How many partitions each replica leads; those that nobody leads are under the empty name. */
    Map<String, Long> leads() {
        return leaders.values().stream()
                .collect(Collectors.groupingBy(leader -> leader, TreeMap::new, Collectors.counting()));
    }

    Phase phase() {
        return phase;
    }

    long phaseNanos() {
        return phaseNanos;
    }

    int parts() {
        return parts;
    }

    String lastReason() {
        return lastReason;
    }
}
