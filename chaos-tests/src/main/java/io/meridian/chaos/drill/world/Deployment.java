package io.meridian.chaos.drill.world;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.chaos.drill.file.BoundedYaml;
import io.meridian.chaos.drill.file.FileSchema;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A deployment that a file describes: where its parts are, and by what they can be hurt. */
public final class Deployment implements Target {
    private final String name;
    private final DeploymentFile file;
    private final String token;
    private final Shards shards;
    private final long openedMillis =
            TimeUnit.MICROSECONDS.toMillis(TimeSource.system().wallMicros());

    private Deployment(String name, DeploymentFile file, String token) {
        this.name = name;
        this.file = file;
        this.token = token;
        shards = new SyncShards(file.sync());
    }

    public static Deployment of(Path path) throws IOException {
        JsonNode node = parsed(path);
        List<String> errors = FileSchema.TARGET.errors(node);
        if (!errors.isEmpty()) {
            throw new TargetFailure(path + " describes no target:\n  " + String.join("\n  ", errors));
        }
        DeploymentFile file = new DeploymentFile(node);
        file.requireKnownParts();
        file.requireLoopbackUnlessRemote();
        return new Deployment(node.path("name").asText(path.toString()), file, file.token(path, System.getenv()));
    }

    private static JsonNode parsed(Path path) throws IOException {
        try {
            return BoundedYaml.read(Files.readAllBytes(path));
        } catch (JsonProcessingException e) {
            throw new TargetFailure(path + " is no YAML: " + e.getOriginalMessage());
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
    public Optional<UsageLog> usage() {
        return file.kafka().map(servers -> UsageTopic.open(servers, openedMillis));
    }

    @Override
    public Optional<LimitKeys> keys() {
        return Optional.ofNullable(System.getenv(SECRET_VARIABLE))
                .map(secret -> new LimitKeys(KeySecret.parse(secret.strip())));
    }

    @Override
    public void close() {}
}
