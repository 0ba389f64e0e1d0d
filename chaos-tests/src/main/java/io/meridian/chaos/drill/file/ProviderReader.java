package io.meridian.chaos.drill.file;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes providers of what the schema has let through. */
final class ProviderReader {
    private static final double TIMEOUT_SECONDS = 30;

    private ProviderReader() {}

    static Provider read(JsonNode provider) {
        JsonNode arguments = provider.path("arguments");
        return switch (provider.path("type").asText()) {
            case "process" -> new Provider.Command(provider.path("path").asText(), words(arguments), timeout(provider));
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
                new Provider.Look(Arrays.stream(Provider.Sight.values())
                        .filter(sight -> sight.func().equals(func))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("func is not known, got " + func)));
        };
    }

    /** A target of regions is the side on which Kafka stands; whether it is the whole of it, only the world can tell. */
    private static NetworkFault network(JsonNode arguments) {
        List<String> regions = words(arguments.path("selector").path("regions"));
        List<String> target = words(arguments.path("target").path("selector").path("regions"));
        regions.stream().filter(target::contains).findFirst().ifPresent(both -> {
            throw new IllegalArgumentException("target must not be among the selected, got " + both + " in both");
        });
        return new NetworkFault(
                NetworkFault.Action.valueOf(upper(arguments, "action", "")),
                regions,
                target,
                arguments.path("mode").asText().equals("one"),
                NetworkFault.Direction.valueOf(upper(arguments, "direction", "both")),
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

    private static List<String> words(JsonNode array) {
        if (array.isTextual()) {
            return List.of(array.asText().strip().split("\\s+"));
        }
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asText()));
        return words;
    }

    private static Map<String, String> headers(JsonNode object) {
        return object.properties().stream()
                .collect(toMap(Map.Entry::getKey, field -> field.getValue().asText()));
    }
}
