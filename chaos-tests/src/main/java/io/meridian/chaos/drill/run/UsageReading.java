package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.chaos.drill.history.Event.UsageTold;
import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.Target;
import io.meridian.chaos.drill.world.UsageLog;
import io.meridian.model.usage.Usage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the world says, in the end, that was used: waited for until it is what was admitted, or nothing new was told for some seconds. A busy
 * machine tells late, and is waited for as long as it goes on to tell.
 */
record UsageReading(Target target, List<Subject> subjects, Recorder recorder, Waiting waiting) {
    private static final Duration NEWS_WITHIN = Duration.ofSeconds(15);
    private static final Duration WITHIN = Duration.ofMinutes(2);

    void read() throws Exception {
        Optional<UsageLog> open = target.usage();
        if (open.isEmpty()) {
            return;
        }
        try (UsageLog log = open.get()) {
            Map<Subject, Map<Long, Map<String, Long>>> admitted = admitted();
            await(log, admitted);
            admitted.forEach((subject, windows) -> windows.keySet().forEach(end -> tell(log, subject, end)));
        }
    }

    private void await(UsageLog log, Map<Subject, Map<Long, Map<String, Long>>> admitted) throws Exception {
        long giveUpNanos = waiting.time().monotonicNanos() + WITHIN.toNanos();
        boolean news = true;
        while (news && waiting.time().monotonicNanos() < giveUpNanos) {
            long before = told(log, admitted);
            news = waiting.until(NEWS_WITHIN, () -> isAllTold(log, admitted) || told(log, admitted) != before)
                    && !isAllTold(log, admitted);
        }
    }

    /** All that is told of these windows; whatever changes it is news. */
    private long told(UsageLog log, Map<Subject, Map<Long, Map<String, Long>>> admitted) {
        return admitted.entrySet().stream()
                .flatMap(subject -> subject.getValue().keySet().stream().map(end -> log.of(subject.getKey(), end)))
                .mapToLong(
                        usage -> target.regions().stream().mapToLong(usage::of).sum())
                .sum();
    }

    /** By subject, window and region; one of which everything was denied is there too. */
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

    /** Of every region: what one was told too much of would hide what another has not reported yet. */
    private static boolean isAllTold(UsageLog log, Map<Subject, Map<Long, Map<String, Long>>> admitted) {
        return admitted.entrySet().stream().allMatch(subject -> subject.getValue().entrySet().stream()
                .allMatch(window -> isTold(log.of(subject.getKey(), window.getKey()), window.getValue())));
    }

    private static boolean isTold(Usage usage, Map<String, Long> byRegion) {
        return byRegion.entrySet().stream().allMatch(each -> usage.of(each.getKey()) == each.getValue());
    }

    private void tell(UsageLog log, Subject subject, long windowEndMicros) {
        Usage usage = log.of(subject, windowEndMicros);
        for (String region : target.regions()) {
            recorder.accept(
                    new UsageTold(recorder.nowNanos(), subject.policy(), region, windowEndMicros, usage.of(region)));
        }
    }
}
