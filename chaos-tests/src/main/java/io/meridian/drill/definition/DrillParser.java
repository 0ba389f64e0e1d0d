package io.meridian.drill.definition;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.definition.Activity.Tolerance;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.definition.DrillFile.InvalidDrillException;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.definition.LoadPlan.PolicyLoad;
import io.meridian.drill.definition.Provider.ProbeKind;
import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import io.meridian.drill.history.Subject.Sharing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parser of a drill file that matches its schema. Errors that a schema cannot express are collected, and reported at once. */
final class DrillParser {
    private static final Duration WINDOW = Duration.ofSeconds(5);

    private final JsonNode file;
    private final Substitution substitution;
    private final List<String> errors = new ArrayList<>();

    DrillParser(JsonNode file, Substitution substitution) {
        this.file = file;
        this.substitution = substitution;
    }

    Drill read(String name) {
        List<Activity> hypothesis = file.has("steady-state-hypothesis")
                ? activities(file.path("steady-state-hypothesis").path("probes"), "steady-state-hypothesis.probes")
                : DefaultHypothesis.PROBES;
        List<Activity> method = activities(file.path("method"), "method");
        List<Activity> rollbacks = activities(file.path("rollbacks"), "rollbacks");
        attempt("rollbacks", () -> bounded(rollbacks));
        JsonNode own = extension();
        Optional<LoadPlan> load = attempt("extensions.load", () -> load(own.path("load")));
        Optional<Deadlines> deadlines = attempt("extensions.checkers", () -> deadlines(own.path("checkers")));
        errors.addAll(substitution.errors());
        if (!errors.isEmpty() || load.isEmpty() || deadlines.isEmpty()) {
            throw new InvalidDrillException(name, errors);
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
        DrillDuration.requireBounded(rollbacks);
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
                ProviderParser.read(provider),
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
        List<PolicyLoad> policies = new ArrayList<>();
        for (JsonNode policy : load.path("policies")) {
            PolicyLoad defaults = PolicyLoad.defaults(
                    Sharing.valueOf(policy.path("sharing").asText().toUpperCase(Locale.ROOT)));
            policies.add(new PolicyLoad(
                    defaults.sharing(),
                    policy.path("limit").asLong(defaults.limit()),
                    policy.path("demand").asDouble(defaults.demand()),
                    Arrival.of(policy.path("arrival").asText(defaults.arrival().word()))));
        }
        if (policies.isEmpty()) {
            Arrays.stream(Sharing.values()).map(PolicyLoad::defaults).forEach(policies::add);
        }
        JsonNode windows = load.path("windows");
        return new LoadPlan(
                load.has("window") ? ProviderParser.duration(load, "window") : WINDOW,
                policies,
                windows.path("control").asInt(1),
                windows.path("fault").asInt(2),
                windows.path("recovery").asInt(1));
    }

    private static Deadlines deadlines(JsonNode checkers) {
        return new Deadlines(
                orElse(checkers, "convergence", Deadlines.DEFAULT.convergence()),
                orElse(checkers, "recovery", Deadlines.DEFAULT.recovery()),
                orElse(checkers, "takeover", Deadlines.DEFAULT.takeover()));
    }

    private static Duration orElse(JsonNode node, String field, Duration fallback) {
        return node.has(field) ? ProviderParser.duration(node, field) : fallback;
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

    /** Parser of providers that match the schema. */
    private static final class ProviderParser {
        private static final double TIMEOUT_SECONDS = 30;

        private ProviderParser() {}

        static Provider read(JsonNode provider) {
            JsonNode arguments = provider.path("arguments");
            return switch (provider.path("type").asText()) {
                case "process" ->
                    new Provider.Command(provider.path("path").asText(), texts(arguments), timeout(provider));
                case "http" ->
                    new Provider.Http(
                            provider.path("url").asText(),
                            provider.path("method").asText("GET"),
                            headers(provider.path("headers")),
                            arguments.isMissingNode()
                                    ? ""
                                    : arguments.isTextual() ? arguments.asText() : arguments.toString(),
                            timeout(provider));
                default -> own(provider.path("func").asText(), arguments);
            };
        }

        private static Provider own(String func, JsonNode arguments) {
            return switch (func) {
                case "network" -> new Provider.Network(network(arguments), duration(arguments, "duration"));
                case "process" -> new Provider.Part(part(arguments), duration(arguments, "duration"));
                case "heal" -> new Provider.Heal();
                default ->
                    new Provider.Probe(Arrays.stream(Provider.ProbeKind.values())
                            .filter(kind -> kind.func().equals(func))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException("func is not known, got " + func)));
            };
        }

        /** Whether the target is the whole other side of the link depends on the regions of the drill's target, so it is checked later. */
        private static NetworkFault network(JsonNode arguments) {
            List<String> regions = texts(arguments.path("selector").path("regions"));
            List<String> target =
                    texts(arguments.path("target").path("selector").path("regions"));
            regions.stream().filter(target::contains).findFirst().ifPresent(both -> {
                throw new IllegalArgumentException("target must not be among the selected, got " + both + " in both");
            });
            return new NetworkFault(
                    LinkAction.valueOf(upper(arguments, "action", "")),
                    regions,
                    target,
                    arguments.path("mode").asText().equals("one"),
                    Direction.valueOf(upper(arguments, "direction", "both")),
                    duration(arguments.path("delay"), "latency"),
                    duration(arguments.path("delay"), "jitter"),
                    kilobytes(arguments.path("bandwidth").path("rate").asText()));
        }

        private static PartFault part(JsonNode arguments) {
            return new PartFault(
                    PartFault.Verb.of(arguments.path("action").asText()),
                    PartFault.Role.of(arguments.path("target").asText()),
                    arguments.path("region").asText(),
                    arguments.path("number").asInt(0));
        }

        private static long kilobytes(String rate) {
            return rate.isEmpty() ? 0 : Long.parseLong(rate.substring(0, rate.length() - "kbps".length()));
        }

        private static String upper(JsonNode node, String field, String fallback) {
            return node.path(field).asText(fallback).toUpperCase(Locale.ROOT);
        }

        static Duration duration(JsonNode node, String field) {
            return node.has(field) ? DurationText.parse(node.path(field).asText()) : Duration.ZERO;
        }

        private static Duration timeout(JsonNode provider) {
            return Duration.ofMillis(Math.round(1000 * provider.path("timeout").asDouble(TIMEOUT_SECONDS)));
        }

        private static List<String> texts(JsonNode array) {
            if (array.isTextual()) {
                return List.of(array.asText().strip().split("\\s+"));
            }
            List<String> texts = new ArrayList<>();
            array.forEach(word -> texts.add(word.asText()));
            return texts;
        }

        private static Map<String, String> headers(JsonNode object) {
            return object.properties().stream()
                    .collect(toMap(Map.Entry::getKey, field -> field.getValue().asText()));
        }
    }

    /** Steady state of a drill whose file has none: every region answers, and every partition has a leader. */
    private static final class DefaultHypothesis {
        static final List<Activity> PROBES = List.of(
                probe("every region decides with its Redis", ProbeKind.REGIONS_ANSWER),
                probe("every partition has a leader", ProbeKind.LEADERS_PRESENT));

        private DefaultHypothesis() {}

        private static Activity probe(String name, ProbeKind kind) {
            ObjectNode source = JsonNodeFactory.instance
                    .objectNode()
                    .put("type", "probe")
                    .put("name", name)
                    .put("tolerance", true);
            source.putObject("provider").put("type", "meridian").put("func", kind.func());
            return new Activity(
                    Activity.Kind.PROBE,
                    name,
                    new Provider.Probe(kind),
                    Duration.ZERO,
                    Duration.ZERO,
                    false,
                    Optional.of(new Tolerance(BooleanNode.TRUE)),
                    source);
        }
    }
}
