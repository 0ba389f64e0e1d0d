package io.meridian.bench.limiter;

import io.lettuce.core.RedisClient;
import io.meridian.bench.load.Request;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.FreePorts;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.server.Durability;
import io.meridian.stack.server.ProbeKind;
import io.meridian.stack.server.RedisServer;
import io.meridian.stack.server.RedisSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Redis and the measured application, each a process of its own, in a folder that goes with them. */
final class MeasuredServers implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(1);

    private final Path folder = Folders.temporary("bench");
    private final int port = FreePorts.take();
    private final PolicyFile policies = new PolicyFile(folder.resolve("policies.yaml"));
    private final RedisServer redis;
    private final ChildProcess application;

    MeasuredServers() throws IOException {
        policies.write(1);
        redis = RedisServer.start(new RedisSettings(
                "redis", folder.resolve("redis"), folder.resolve("redis.log"), FreePorts.take(), Durability.THROWAWAY));
        try {
            application = ChildProcess.start(ChildCommand.of("limiter-figures", command(), folder.resolve("app.log"))
                    .withEnvironment(Map.of(
                            "QUARKUS_HTTP_PORT", Integer.toString(port),
                            "MERIDIAN_LIMITER_REGION", "us-east",
                            "QUARKUS_REDIS_HOSTS", redis.url(),
                            "MERIDIAN_LIMITER_POLICIES_FILE", policies.file().toString(),
                            "MERIDIAN_BENCH_REDIS", redis.url())));
            new Readiness(TimeSource.system(), READY_WITHIN)
                    .await(application, ProbeKind.HTTP.at(at("/q/health/ready").toString()));
        } catch (RuntimeException e) {
            redis.close();
            throw e;
        }
    }

    private static List<String> command() {
        return List.of(
                Executables.java().toString(),
                "-Xms1g",
                "-Xmx1g",
                "-XX:+UseG1GC",
                "-XX:+ExitOnOutOfMemoryError",
                "-jar",
                application().toString());
    }

    /** Beside this class, as a jar or loose, the build has left the application. */
    private static Path application() {
        String here = MeasuredServers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return Path.of(URI.create(here)).resolveSibling("quarkus-app/quarkus-run.jar");
    }

    int port() {
        return port;
    }

    URI at(String path) {
        return URI.create("http://" + Loopback.HOST + ":" + port + path);
    }

    /** The first {@code size} policies of a large installation, of which at most three apply to what is asked. */
    void changePolicies(int size) throws IOException {
        policies.change(size, at(Loads.CHECK), Loads.QUESTION.replace(Request.KEY, "0"));
    }

    RedisCalls redisCalls() {
        try (RedisClient client = RedisClient.create(redis.url())) {
            return RedisCalls.read(client);
        }
    }

    @Override
    public void close() throws IOException {
        application.close();
        redis.close();
        Folders.delete(folder);
    }
}
