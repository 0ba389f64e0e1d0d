package io.meridian.drill.targets;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.definition.YamlSchema;
import io.meridian.drill.targets.DrillTarget.Links;
import io.meridian.drill.targets.DrillTarget.Parts;
import io.meridian.drill.targets.DrillTarget.Policies;
import io.meridian.drill.targets.DrillTarget.Shards;
import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.plan.PartNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Target that a file describes: the addresses of a deployment, its Toxiproxy proxies, and its owner's commands for faults. */
public final class DeploymentTarget implements DrillTarget {
    private final String name;
    private final DeploymentFile file;
    private final String token;
    private final Shards shards;
    private final long openedMillis =
            TimeUnit.MICROSECONDS.toMillis(TimeSource.system().wallMicros());

    private DeploymentTarget(String name, DeploymentFile file, String token) {
        this.name = name;
        this.file = file;
        this.token = token;
        shards = new SyncShards(file.sync());
    }

    public static DeploymentTarget of(Path path) throws IOException {
        JsonNode node = parsed(path);
        List<String> errors = YamlSchema.TARGET.errors(node);
        if (!errors.isEmpty()) {
            throw new TargetException(path + " is not a valid target:\n  " + String.join("\n  ", errors));
        }
        DeploymentFile file = new DeploymentFile(node);
        file.requireKnownParts();
        file.requireLoopbackUnlessRemote();
        return new DeploymentTarget(node.path("name").asText(path.toString()), file, file.token(path, System.getenv()));
    }

    private static JsonNode parsed(Path path) throws IOException {
        try {
            return YamlSchema.parse(Files.readAllBytes(path));
        } catch (JsonProcessingException e) {
            throw new TargetException(path + " is not valid YAML: " + e.getOriginalMessage());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, List<String>> limiters() {
        return file.limiters();
    }

    @Override
    public Policies policies() {
        return new AdminPolicies(file.configService(), token, limiters().keySet());
    }

    @Override
    public Optional<DrillPublisher> publisher() {
        return Optional.of(new DrillPublisher(file.configService(), token));
    }

    @Override
    public Shards shards() {
        return shards;
    }

    @Override
    public Links links() {
        return new ToxiproxyLinks(file.toxiproxy(), file.links());
    }

    @Override
    public Parts parts() {
        return new CommandParts(file.commands());
    }

    @Override
    public Optional<UsageReader> usage() {
        return file.kafka().map(servers -> UsageTopic.open(servers, openedMillis));
    }

    @Override
    public Optional<LimitKeys> keys() {
        return Optional.ofNullable(System.getenv(SECRET_VARIABLE))
                .map(secret -> new LimitKeys(KeySecret.parse(secret.strip())));
    }

    @Override
    public void close() {}

    /** Content of a target file that matches its schema. */
    private record DeploymentFile(JsonNode node) {
        private static final Set<String> ALONE = Set.of(PartNames.KAFKA, PartNames.POSTGRES, PartNames.CONFIG_SERVICE);

        Map<String, List<String>> limiters() {
            Map<String, List<String>> limiters = new LinkedHashMap<>();
            node.path("regions")
                    .properties()
                    .forEach(region -> limiters.put(
                            region.getKey(), texts(region.getValue().path("limiters"))));
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

        /** Proxy names by place. */
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

        /** Admin token, from a file beside this one or from the environment. */
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
                throw new TargetException("config_service.token_env: the environment has no " + variable);
            }
            return token.strip();
        }

        /** Refuses addresses of other machines unless the file allows them. */
        void requireLoopbackUnlessRemote() throws IOException {
            if (node.path("remote").asBoolean(false)) {
                return;
            }
            for (List<String> addresses : limiters().values()) {
                for (String address : addresses) {
                    String host = String.valueOf(URI.create(address).getHost());
                    if (!InetAddress.getByName(host).isLoopbackAddress()) {
                        throw new TargetException("regions: " + address + " is not on this machine;"
                                + " set remote: true to send load there");
                    }
                }
            }
        }

        /** Refuses unknown part names, which would have no role, and be left out of faults on every part. */
        void requireKnownParts() {
            List<String> unknown = commands().keySet().stream()
                    .filter(part -> !isKnown(part))
                    .sorted()
                    .toList();
            if (!unknown.isEmpty()) {
                throw new TargetException(
                        "commands: a part must be named limiter-REGION, limiter-REGION-2, redis-REGION, sync-NAME,"
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

    /** Processes of a deployment, by its owner's commands. */
    private record CommandParts(Map<String, Map<Verb, List<String>>> commands) implements Parts {
        private static final Duration DONE_WITHIN = Duration.ofMinutes(2);

        CommandParts {
            commands = Map.copyOf(commands);
        }

        @Override
        public List<String> names() {
            return commands.keySet().stream().sorted().toList();
        }

        @Override
        public boolean can(String part, Verb verb) {
            return commands.getOrDefault(part, Map.of()).containsKey(verb);
        }

        @Override
        public void act(String part, Verb verb) throws IOException, InterruptedException {
            List<String> command = commands.getOrDefault(part, Map.of()).get(verb);
            if (command == null) {
                throw new IllegalArgumentException("there is no command to " + verb.word() + " " + part);
            }
            ExternalCommand.Outcome outcome = ExternalCommand.run(command, DONE_WITHIN);
            if (outcome.status() != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + outcome.status() + ": "
                        + outcome.stdout() + outcome.stderr());
            }
        }
    }
}
