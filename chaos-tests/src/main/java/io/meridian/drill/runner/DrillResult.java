package io.meridian.drill.runner;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.definition.Activity;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.history.DrillHistory;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Result of a drill run.
 *
 * @param reason why it did not complete; empty if it did
 * @param before probes of the steady state before the method; empty if they did not run
 * @param after the same after the recovery
 */
public record DrillResult(
        Drill drill,
        DrillHistory history,
        Status status,
        String reason,
        Instant endedAt,
        List<ActivityResult> before,
        List<ActivityResult> after,
        List<ActivityResult> method,
        List<ActivityResult> rollbacks) {
    public DrillResult {
        before = List.copyOf(before);
        after = List.copyOf(after);
        method = List.copyOf(method);
        rollbacks = List.copyOf(rollbacks);
    }

    /** Status, in the Chaos Toolkit's words. */
    public enum Status {
        COMPLETED,
        /** The steady state did not hold, or an activity failed. */
        FAILED,
        INTERRUPTED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the steady state held before and not after. */
    public boolean deviated() {
        return before.stream().allMatch(ActivityResult::succeededAsExpected)
                && !after.stream().allMatch(ActivityResult::succeededAsExpected);
    }

    /**
     * Result of an activity.
     *
     * @param output its output, or the reason of its failure
     * @param toleranceMet of a probe with a tolerance
     */
    public record ActivityResult(
            Activity activity,
            Instant startedAt,
            Instant endedAt,
            boolean succeeded,
            JsonNode output,
            Optional<Boolean> toleranceMet) {
        private static final int OUTPUT_LENGTH_MAX = 1_000;

        /** Name and output, for readers. */
        String description() {
            String text = output.isTextual() ? output.asText() : output.toString();
            return activity.name() + ": "
                    + (text.length() > OUTPUT_LENGTH_MAX ? text.substring(0, OUTPUT_LENGTH_MAX) : text);
        }

        /** Whether it succeeded, within the tolerance if it has one. */
        public boolean succeededAsExpected() {
            return succeeded && toleranceMet.orElse(true);
        }
    }
}
