package io.meridian.chaos.drill.run;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.history.History;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * A drill as it went.
 *
 * @param reason why it did not complete; empty if it did
 * @param before the probes of the steady state, empty if it was not looked at
 * @param run what the method did
 */
public record DrillResult(
        Drill drill,
        History history,
        Status status,
        String reason,
        Instant endedAt,
        List<Done> before,
        List<Done> after,
        List<Done> run,
        List<Done> rollbacks) {
    public DrillResult {
        before = List.copyOf(before);
        after = List.copyOf(after);
        run = List.copyOf(run);
        rollbacks = List.copyOf(rollbacks);
    }

    /** How far it came, in the Chaos Toolkit's words. */
    public enum Status {
        COMPLETED,
        /** The steady state was not there, or something could not be done. */
        FAILED,
        INTERRUPTED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the steady state was there before and not after. */
    public boolean deviated() {
        return before.stream().allMatch(Done::isFine) && !after.stream().allMatch(Done::isFine);
    }
}
