package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.chaos.drill.history.Subject.Sharing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes a drill of what the schema has let through; what only the whole can tell is refused here, all at once too. */
final class DrillReader {
    private static final Duration WINDOW = Duration.ofSeconds(5);

    private final JsonNode file;
    private final Substitution substitution;
    private final List<String> errors = new ArrayList<>();

    DrillReader(JsonNode file, Substitution substitution) {
        this.file = file;
        this.substitution = substitution;
    }

    Drill read(String name) {
        List<Activity> hypothesis = file.has("steady-state-hypothesis")
                ? activities(file.path("steady-state-hypothesis").path("probes"), "steady-state-hypothesis.probes")
                : UsualHypothesis.PROBES;
        List<Activity> method = activities(file.path("method"), "method");
        List<Activity> rollbacks = activities(file.path("rollbacks"), "rollbacks");
        attempt("rollbacks", () -> bounded(rollbacks));
        JsonNode own = extension();
        Optional<LoadPlan> load = attempt("extensions.load", () -> load(own.path("load")));
        Optional<Deadlines> deadlines = attempt("extensions.checkers", () -> deadlines(own.path("checkers")));
        errors.addAll(substitution.errors());
        if (!errors.isEmpty() || load.isEmpty() || deadlines.isEmpty()) {
            throw new BadDrillFile(name, errors);
        }
        List<String> tags = new ArrayList<>();
        file.path("tags").forEach(tag -> tags.add(tag.asText()));
        return new Drill(
                name,
                file.path("title").asText(),
                file.path("description").asText(),
                tags,
                hypothesis,
                method,
                rollbacks,
                load.get(),
                deadlines.get(),
                file);
    }

    private List<Activity> activities(JsonNode nodes, String place) {
        List<Activity> activities = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            JsonNode node = nodes.get(i);
            String here = place + "[" + i + "]";
            Optional<Optional<Tolerance>> tolerance = attempt(here + ".tolerance", () -> tolerance(node));
            attempt(here + ".provider", () -> activity(node, here, tolerance.orElse(Optional.empty())))
                    .ifPresent(activities::add);
        }
        return activities;
    }

    private static List<Activity> bounded(List<Activity> rollbacks) {
        UndoingPlan.requireBounded(rollbacks);
        return rollbacks;
    }

    private static Optional<Tolerance> tolerance(JsonNode node) {
        return node.has("tolerance") ? Optional.of(new Tolerance(node.path("tolerance"))) : Optional.empty();
    }

    private Activity activity(JsonNode node, String place, Optional<Tolerance> tolerance) {
        JsonNode provider = substitution.in(node.path("provider"), place + ".provider");
        return new Activity(
                node.path("type").asText().equals("probe") ? Activity.Kind.PROBE : Activity.Kind.ACTION,
                node.path("name").asText(),
                ProviderReader.read(provider),
                seconds(node.path("pauses").path("before")),
                seconds(node.path("pauses").path("after")),
                node.path("background").asBoolean(false),
                tolerance,
                node);
    }

    private JsonNode extension() {
        for (JsonNode extension : file.path("extensions")) {
            if (extension.path("name").asText().equals("meridian")) {
                return extension;
            }
        }
        return file.path("extensions").path("none");
    }

    private static LoadPlan load(JsonNode load) {
        List<PolicyPlan> policies = new ArrayList<>();
        for (JsonNode policy : load.path("policies")) {
            PolicyPlan usual = PolicyPlan.usual(
                    Sharing.valueOf(policy.path("sharing").asText().toUpperCase(Locale.ROOT)));
            policies.add(new PolicyPlan(
                    usual.sharing(),
                    policy.path("limit").asLong(usual.limit()),
                    policy.path("demand").asDouble(usual.demand()),
                    Arrival.of(policy.path("arrival").asText(usual.arrival().word()))));
        }
        if (policies.isEmpty()) {
            Arrays.stream(Sharing.values()).map(PolicyPlan::usual).forEach(policies::add);
        }
        JsonNode windows = load.path("windows");
        return new LoadPlan(
                load.has("window") ? ProviderReader.duration(load, "window") : WINDOW,
                policies,
                windows.path("control").asInt(1),
                windows.path("fault").asInt(2),
                windows.path("recovery").asInt(1));
    }

    private static Deadlines deadlines(JsonNode checkers) {
        return new Deadlines(
                orElse(checkers, "convergence", Deadlines.USUAL.convergence()),
                orElse(checkers, "recovery", Deadlines.USUAL.recovery()),
                orElse(checkers, "takeover", Deadlines.USUAL.takeover()));
    }

    private static Duration orElse(JsonNode node, String field, Duration usual) {
        return node.has(field) ? ProviderReader.duration(node, field) : usual;
    }

    private static Duration seconds(JsonNode number) {
        return Duration.ofMillis(Math.round(1000 * number.asDouble(0)));
    }

    private <T> Optional<T> attempt(String place, java.util.function.Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (IllegalArgumentException e) {
            errors.add(place + ": " + e.getMessage());
            return Optional.empty();
        }
    }
}
