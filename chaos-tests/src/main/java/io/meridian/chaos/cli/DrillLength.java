package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Activity;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.file.LoadPlan;
import io.meridian.chaos.drill.file.PartFault.Role;
import io.meridian.chaos.drill.file.Provider;
import java.time.Duration;

/** About how long a drill takes. */
final class DrillLength {
    /** A window that has begun, answers to warm up by, the world to mend, and usage to be told. */
    private static final long AROUND_SECONDS = 14;

    /** A whole stack of ten limiters, part by part: a region is given time to be steady again after each. */
    private static final long ROLLING_SECONDS = 360;

    private DrillLength() {}

    static long seconds(Drill drill) {
        LoadPlan load = drill.load();
        long window = load.window().toSeconds();
        long method = drill.method().stream()
                .filter(activity -> !activity.background())
                .mapToLong(DrillLength::seconds)
                .sum();
        return AROUND_SECONDS
                + window * (load.controlWindows() + load.recoveryWindows())
                + Math.max(window * load.faultWindows(), method);
    }

    private static long seconds(Activity activity) {
        long pauses = activity.pauseBefore().plus(activity.pauseAfter()).toSeconds();
        if (activity.provider() instanceof Provider.Part part) {
            return pauses
                    + (part.fault().role() == Role.EVERY
                            ? ROLLING_SECONDS
                            : part.duration().toSeconds());
        }
        Duration duration =
                activity.provider() instanceof Provider.Network network ? network.duration() : Duration.ZERO;
        return pauses + duration.toSeconds();
    }
}
