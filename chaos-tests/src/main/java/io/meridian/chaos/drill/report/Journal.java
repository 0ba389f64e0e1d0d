package io.meridian.chaos.drill.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.meridian.chaos.drill.verdict.Lateness;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was done, in the fields of a Chaos Toolkit journal, so that its tools read it.
 *
 * @param experiment the drill's file as it was read
 * @param start RFC 3339, as all times here
 * @param status {@code completed}, {@code failed}, {@code aborted} or {@code interrupted}
 * @param deviated whether the steady state was lost, or a promise broken
 * @param run what the method did, in its order
 * @param duration in seconds
 * @param lateness how late the load was sent; a field of our own
 */
public record Journal(
        @JsonProperty("chaoslib-version") String chaoslibVersion,
        String platform,
        String node,
        Map<String, Object> experiment,
        String start,
        String end,
        String status,
        boolean deviated,
        @JsonProperty("steady_states") SteadyStates steadyStates,
        List<Activity> run,
        List<Activity> rollbacks,
        double duration,
        Lateness.Summary lateness) {
    private static final List<String> STATUSES = List.of("completed", "failed", "aborted", "interrupted");

    public Journal {
        if (!STATUSES.contains(status)) {
            throw new IllegalArgumentException("status must be one of " + STATUSES + ", got " + status);
        }
        run = List.copyOf(run);
        rollbacks = List.copyOf(rollbacks);
    }

    /** What was looked at before, under and after the method; null where it was not. */
    public record SteadyStates(
            @Nullable SteadyState before,
            List<SteadyState> during,
            @Nullable SteadyState after) {
        public SteadyStates {
            during = List.copyOf(during);
        }
    }

    /** Whether all was well, and by which probes. */
    public record SteadyState(
            @JsonProperty("steady_state_met") boolean met, List<Activity> probes) {
        public SteadyState {
            probes = List.copyOf(probes);
        }
    }

    /**
     * One probe or action.
     *
     * @param activity as the file has it
     * @param status {@code succeeded} or {@code failed}
     * @param output what came of it: anything that JSON has
     * @param toleranceMet of a probe of the steady state, else null
     */
    public record Activity(
            Map<String, Object> activity,
            String start,
            String end,
            double duration,
            String status,
            @Nullable Object output,
            @JsonProperty("tolerance_met") @Nullable Boolean toleranceMet) {}
}
