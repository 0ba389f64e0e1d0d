package io.meridian.chaos.cli;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.chaos.drill.report.Journal;
import io.meridian.chaos.drill.run.Done;
import io.meridian.chaos.drill.run.DrillResult;
import io.meridian.chaos.drill.verdict.Lateness;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The journal of a drill, in the Chaos Toolkit's fields. */
final class JournalOf {
    /** The release of the Chaos Toolkit's library whose journal this is like. */
    private static final String CHAOSLIB = "1.0.0";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private JournalOf() {}

    static Journal of(DrillResult result, boolean broken) {
        Instant start = result.history().startedAt();
        return new Journal(
                CHAOSLIB,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                node(),
                object(result.drill().source()),
                start.toString(),
                result.endedAt().toString(),
                result.status().word(),
                result.deviated() || broken,
                new Journal.SteadyStates(steady(result.before()), List.of(), steady(result.after())),
                activities(result.run()),
                activities(result.rollbacks()),
                seconds(start, result.endedAt()),
                Lateness.Summary.of(result.history()));
    }

    private static Journal.@Nullable SteadyState steady(List<Done> probes) {
        return probes.isEmpty()
                ? null
                : new Journal.SteadyState(probes.stream().allMatch(Done::isFine), activities(probes));
    }

    private static List<Journal.Activity> activities(List<Done> done) {
        return done.stream().map(JournalOf::activity).toList();
    }

    private static Journal.Activity activity(Done done) {
        return new Journal.Activity(
                object(done.activity().source()),
                done.startedAt().toString(),
                done.endedAt().toString(),
                seconds(done.startedAt(), done.endedAt()),
                done.succeeded() ? "succeeded" : "failed",
                JSON.convertValue(done.output(), Object.class),
                done.toleranceMet().orElse(null));
    }

    private static Map<String, Object> object(JsonNode node) {
        return JSON.convertValue(node, OBJECT);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    private static String node() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
