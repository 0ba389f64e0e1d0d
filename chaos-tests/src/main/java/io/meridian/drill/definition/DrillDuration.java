package io.meridian.drill.definition;

import java.time.Duration;
import java.util.List;

/** Durations derived from a drill's definition: its expected run time, and the longest time that undoing it may take. */
final class DrillDuration {
    /** Bound on a process start, which ends when the process is ready. */
    private static final Duration PART_START_MAX = Duration.ofMinutes(2);

    /** Bound on all rollbacks together, because Ctrl-C waits for them. */
    private static final Duration ROLLBACKS_MAX = Duration.ofMinutes(30);

    /** Warm-up, alignment to a window, recovery, and reading the usage topic. */
    private static final long OVERHEAD_SECONDS = 14;

    /** Rolling restart of a whole stack of ten limiters, which waits after each process until its region is steady. */
    private static final long ROLLING_SECONDS = 360;

    private DrillDuration() {}

    static Duration expected(Drill drill) {
        LoadPlan load = drill.load();
        long window = load.window().toSeconds();
        long method = drill.method().stream()
                .filter(activity -> !activity.background())
                .mapToLong(DrillDuration::expectedSeconds)
                .sum();
        return Duration.ofSeconds(OVERHEAD_SECONDS
                + window * (load.controlWindows() + load.recoveryWindows())
                + Math.max(window * load.faultWindows(), method));
    }

    private static long expectedSeconds(Activity activity) {
        long pauses = activity.pauseBefore().plus(activity.pauseAfter()).toSeconds();
        if (activity.provider() instanceof Provider.Part part) {
            boolean rolling = part.fault().role() == PartFault.Role.EVERY;
            return pauses + (rolling ? ROLLING_SECONDS : part.duration().toSeconds());
        }
        return activity.provider() instanceof Provider.Network network
                ? pauses + network.duration().toSeconds()
                : pauses;
    }

    /** Refuses rollbacks that would hold up Ctrl-C for too long. */
    static void requireBounded(List<Activity> rollbacks) {
        Duration together = undoMax(rollbacks);
        if (together.compareTo(ROLLBACKS_MAX) > 0) {
            throw new IllegalArgumentException(
                    "timeouts, durations and pauses must be at most %s together, got %s, with %s for each process"
                            .formatted(
                                    DurationText.of(ROLLBACKS_MAX),
                                    DurationText.of(together),
                                    DurationText.of(PART_START_MAX)));
        }
    }

    static Duration undoMax(List<Activity> method, List<Activity> rollbacks) {
        long faulted = method.stream()
                .filter(activity -> activity.provider() instanceof Provider.Part)
                .count();
        return undoMax(rollbacks).plus(PART_START_MAX.multipliedBy(faulted));
    }

    private static Duration undoMax(List<Activity> activities) {
        return activities.stream()
                .map(activity -> activity.pauseBefore()
                        .plus(durationMax(activity.provider()))
                        .plus(activity.pauseAfter()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration durationMax(Provider provider) {
        if (provider instanceof Provider.Command command) {
            return command.timeout();
        }
        if (provider instanceof Provider.Http http) {
            return http.timeout();
        }
        if (provider instanceof Provider.Network network) {
            return network.duration();
        }
        return provider instanceof Provider.Part part ? part.duration().plus(PART_START_MAX) : Duration.ZERO;
    }
}
