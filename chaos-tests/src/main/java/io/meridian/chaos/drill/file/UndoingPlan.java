package io.meridian.chaos.drill.file;

import java.time.Duration;
import java.util.List;

/** How long it may take at most to undo a drill, by what its file says. */
final class UndoingPlan {
    /** A process that is started is waited for until it is ready. */
    private static final Duration PART = Duration.ofMinutes(2);

    /** Of all rollbacks together; whoever presses Ctrl-C waits for them. */
    private static final Duration ROLLBACKS_MAX = Duration.ofMinutes(30);

    private UndoingPlan() {}

    /** Refuses rollbacks that nobody would wait for. */
    static void requireBounded(List<Activity> rollbacks) {
        Duration together = of(rollbacks);
        if (together.compareTo(ROLLBACKS_MAX) > 0) {
            throw new IllegalArgumentException(
                    "timeouts, durations and pauses must be at most %s together, got %s, a process counting %s"
                            .formatted(
                                    DurationText.of(ROLLBACKS_MAX), DurationText.of(together), DurationText.of(PART)));
        }
    }

    /** Rollbacks, and each process that the method hurt. */
    static Duration of(List<Activity> method, List<Activity> rollbacks) {
        long hurt = method.stream()
                .filter(activity -> activity.provider() instanceof Provider.Part)
                .count();
        return of(rollbacks).plus(PART.multipliedBy(hurt));
    }

    private static Duration of(List<Activity> activities) {
        return activities.stream()
                .map(activity ->
                        activity.pauseBefore().plus(of(activity.provider())).plus(activity.pauseAfter()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration of(Provider provider) {
        if (provider instanceof Provider.Command command) {
            return command.timeout();
        }
        if (provider instanceof Provider.Http http) {
            return http.timeout();
        }
        if (provider instanceof Provider.Network network) {
            return network.duration();
        }
        return provider instanceof Provider.Part part ? part.duration().plus(PART) : Duration.ZERO;
    }
}
