package io.meridian.drill.runner;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Event.UsageReported;
import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.usage.Usage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collector of the usage that regions reported, at the end of a drill. It waits until the reported usage is the admitted usage, or no new
 * report arrived for some seconds: a busy machine reports late, and is waited for as long as reports arrive.
 */
record UsageCollector(DrillTarget target, List<Subject> subjects, EventRecorder recorder, DrillClock clock) {
    private static final Duration REPORT_WITHIN = Duration.ofSeconds(15);
    private static final Duration WITHIN = Duration.ofMinutes(2);

    void collect() throws Exception {
        Optional<UsageReader> open = target.usage();
        if (open.isEmpty()) {
            return;
        }
        try (UsageReader log = open.get()) {
            Map<Subject, Map<Long, Map<String, Long>>> admitted = admitted();
            await(log, admitted);
            admitted.forEach((subject, windows) -> windows.keySet().forEach(end -> record(log, subject, end)));
        }
    }

    private void await(UsageReader log, Map<Subject, Map<Long, Map<String, Long>>> admitted) throws Exception {
        long giveUpNanos = clock.time().monotonicNanos() + WITHIN.toNanos();
        boolean changed = true;
        while (changed && clock.time().monotonicNanos() < giveUpNanos) {
            long before = reportedSum(log, admitted);
            changed = clock.await(
                            REPORT_WITHIN, () -> isAllReported(log, admitted) || reportedSum(log, admitted) != before)
                    && !isAllReported(log, admitted);
        }
    }

    /** Sum of the reported usage of these windows, which any new report changes. */
    private long reportedSum(UsageReader log, Map<Subject, Map<Long, Map<String, Long>>> admitted) {
        return admitted.entrySet().stream()
                .flatMap(subject -> subject.getValue().keySet().stream().map(end -> log.of(subject.getKey(), end)))
                .mapToLong(
                        usage -> target.regions().stream().mapToLong(usage::of).sum())
                .sum();
    }

    /** Admitted usage by subject, window and region, with windows in which everything was denied. */
    private Map<Subject, Map<Long, Map<String, Long>>> admitted() {
        Map<String, Subject> byPolicy = new TreeMap<>();
        subjects.forEach(subject -> byPolicy.put(subject.policy(), subject));
        Map<Subject, Map<Long, Map<String, Long>>> admitted = new LinkedHashMap<>();
        recorder.events().forEach(event -> {
            if (event instanceof Checked checked && checked.outcome() != Outcome.FAILED) {
                Subject subject = byPolicy.get(checked.policy());
                if (subject != null) {
                    admitted.computeIfAbsent(subject, any -> new TreeMap<>())
                            .computeIfAbsent(checked.windowEndMicros(), any -> new TreeMap<>())
                            .merge(checked.region(), checked.outcome() == Outcome.ALLOWED ? 1L : 0L, Long::sum);
                }
            }
        });
        return admitted;
    }

    /** Compares each region by itself, because the surplus of one would hide missing reports of another. */
    private static boolean isAllReported(UsageReader log, Map<Subject, Map<Long, Map<String, Long>>> admitted) {
        return admitted.entrySet().stream().allMatch(subject -> subject.getValue().entrySet().stream()
                .allMatch(window -> isReported(log.of(subject.getKey(), window.getKey()), window.getValue())));
    }

    private static boolean isReported(Usage usage, Map<String, Long> byRegion) {
        return byRegion.entrySet().stream().allMatch(each -> usage.of(each.getKey()) == each.getValue());
    }

    private void record(UsageReader log, Subject subject, long windowEndMicros) {
        Usage usage = log.of(subject, windowEndMicros);
        for (String region : target.regions()) {
            recorder.accept(new UsageReported(
                    recorder.nowNanos(), subject.policy(), region, windowEndMicros, usage.of(region)));
        }
    }
}
