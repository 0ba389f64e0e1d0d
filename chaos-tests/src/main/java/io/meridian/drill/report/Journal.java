package io.meridian.drill.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.history.HistoryFile;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillResult.ActivityResult;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Journal of a drill's activities, in the fields of a Chaos Toolkit journal, so that its tools read it.
 *
 * @param experiment the drill file
 * @param start RFC 3339, as all times here
 * @param status {@code completed}, {@code failed}, {@code aborted} or {@code interrupted}
 * @param deviated whether the steady state was lost, or a promise broken
 * @param run the activities of the method, in order
 * @param duration in seconds
 * @param lateness of the load; a field that the Chaos Toolkit does not have
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
    /** Release of the Chaos Toolkit's library whose journal has these fields. */
    private static final String CHAOSLIB = "1.0.0";

    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final List<String> STATUSES = List.of("completed", "failed", "aborted", "interrupted");

    public Journal {
        if (!STATUSES.contains(status)) {
            throw new IllegalArgumentException("status must be one of " + STATUSES + ", got " + status);
        }
        run = List.copyOf(run);
        rollbacks = List.copyOf(rollbacks);
    }

    /**
     * Journal of a run.
     *
     * @param broken whether a promise was broken
     */
    public static Journal of(DrillResult result, boolean broken, Lateness.Summary lateness) {
        Instant start = result.history().startedAt();
        return new Journal(
                CHAOSLIB,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                hostName(),
                object(result.drill().source()),
                start.toString(),
                result.endedAt().toString(),
                result.status().word(),
                result.deviated() || broken,
                new SteadyStates(steadyState(result.before()), List.of(), steadyState(result.after())),
                activities(result.method()),
                activities(result.rollbacks()),
                seconds(start, result.endedAt()),
                lateness);
    }

    private static @Nullable SteadyState steadyState(List<ActivityResult> probes) {
        return probes.isEmpty()
                ? null
                : new SteadyState(probes.stream().allMatch(ActivityResult::succeededAsExpected), activities(probes));
    }

    private static List<Activity> activities(List<ActivityResult> results) {
        return results.stream().map(Journal::activity).toList();
    }

    private static Activity activity(ActivityResult result) {
        return new Activity(
                object(result.activity().source()),
                result.startedAt().toString(),
                result.endedAt().toString(),
                seconds(result.startedAt(), result.endedAt()),
                result.succeeded() ? "succeeded" : "failed",
                HistoryFile.JSON.convertValue(result.output(), Object.class),
                result.toleranceMet().orElse(null));
    }

    private static Map<String, Object> object(JsonNode node) {
        return HistoryFile.JSON.convertValue(node, OBJECT);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Probes of the steady state before, during and after the method; null where they did not run. */
    public record SteadyStates(
            @Nullable SteadyState before,
            List<SteadyState> during,
            @Nullable SteadyState after) {
        public SteadyStates {
            during = List.copyOf(during);
        }
    }

    /** Whether the steady state held, and its probes. */
    public record SteadyState(
            @JsonProperty("steady_state_met") boolean met, List<Activity> probes) {
        public SteadyState {
            probes = List.copyOf(probes);
        }
    }

    /**
     * Probe or action.
     *
     * @param activity its JSON in the drill file
     * @param status {@code succeeded} or {@code failed}
     * @param output any JSON value
     * @param toleranceMet of a probe with a tolerance, else null
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
