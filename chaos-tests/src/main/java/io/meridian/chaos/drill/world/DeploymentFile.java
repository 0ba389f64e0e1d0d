package io.meridian.chaos.drill.world;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.chaos.drill.file.PartFault.Verb;
import io.meridian.stack.plan.PartNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What the file of a deployment says, once its schema has let it through. */
record DeploymentFile(JsonNode node) {
    private static final Set<String> ALONE = Set.of(PartNames.KAFKA, PartNames.POSTGRES, PartNames.CONFIG_SERVICE);

    Map<String, List<String>> limiters() {
        Map<String, List<String>> limiters = new LinkedHashMap<>();
        node.path("regions")
                .properties()
                .forEach(region ->
                        limiters.put(region.getKey(), texts(region.getValue().path("limiters"))));
        return limiters;
    }

    String configService() {
        return node.path("config_service").path("url").asText();
    }

    List<String> sync() {
        return texts(node.path("sync"));
    }

    Optional<String> kafka() {
        return Optional.of(node.path("kafka").path("bootstrap_servers").asText())
                .filter(text -> !text.isEmpty());
    }

    String toxiproxy() {
        return node.path("toxiproxy").path("url").asText();
    }

    /** The name of each place's proxy. */
    Map<String, String> links() {
        Map<String, String> links = new LinkedHashMap<>();
        node.path("toxiproxy")
                .path("links")
                .properties()
                .forEach(link -> links.put(link.getKey(), link.getValue().asText()));
        return links;
    }

    Map<String, Map<Verb, List<String>>> commands() {
        Map<String, Map<Verb, List<String>>> commands = new LinkedHashMap<>();
        node.path("commands").properties().forEach(part -> {
            Map<Verb, List<String>> verbs = new LinkedHashMap<>();
            part.getValue().properties().forEach(verb -> verbs.put(Verb.of(verb.getKey()), texts(verb.getValue())));
            commands.put(part.getKey(), verbs);
        });
        return commands;
    }

    /** From a file beside this one, or from the environment. */
    String token(Path path, Map<String, String> environment) throws IOException {
        JsonNode config = node.path("config_service");
        if (config.has("token_file")) {
            Path file = path.toAbsolutePath()
                    .resolveSibling(config.path("token_file").asText());
            return Files.readString(file).strip();
        }
        String variable = config.path("token_env").asText();
        String token = environment.get(variable);
        if (token == null || token.isBlank()) {
            throw new TargetFailure("config_service.token_env: the environment has no " + variable);
        }
        return token.strip();
    }

    /** Load leaves this machine only where the file says so. */
    void requireLoopbackUnlessRemote() throws IOException {
        if (node.path("remote").asBoolean(false)) {
            return;
        }
        for (List<String> addresses : limiters().values()) {
            for (String address : addresses) {
                String host = String.valueOf(URI.create(address).getHost());
                if (!InetAddress.getByName(host).isLoopbackAddress()) {
                    throw new TargetFailure("regions: " + address + " is not on this machine;"
                            + " say remote: true if the load is meant to go there");
                }
            }
        }
    }

    /** A part of another name would play no role, and be left out where every part is meant. */
    void requireKnownParts() {
        List<String> unknown = commands().keySet().stream()
                .filter(part -> !isKnown(part))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            throw new TargetFailure(
                    "commands: a part must be called limiter-REGION, limiter-REGION-2, redis-REGION, sync-NAME,"
                            + " kafka, postgres or config-service, of the regions "
                            + limiters().keySet() + "; got " + unknown);
        }
    }

    private boolean isKnown(String part) {
        return ALONE.contains(part)
                || part.matches("sync-.+")
                || limiters().keySet().stream()
                        .anyMatch(region -> part.equals(PartNames.redis(region)) || isLimiterOf(part, region));
    }

    private static boolean isLimiterOf(String part, String region) {
        return part.matches(Pattern.quote(PartNames.limiter(region, 1)) + "(-\\d+)?");
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }
}
