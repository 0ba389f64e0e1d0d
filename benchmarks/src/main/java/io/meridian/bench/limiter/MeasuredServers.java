package io.meridian.bench.limiter;

import io.lettuce.core.RedisClient;
import io.meridian.testkit.load.EncodedRequest;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.ApplicationServer.ApplicationSettings;
import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A Redis and the measured application, each a process of its own, in a folder that goes with them. */
final class MeasuredServers implements AutoCloseable {
    /** A server's heap and collector, in place of the small ones of a laptop's many services. */
    private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g", "-XX:-UseSerialGC", "-XX:+UseG1GC");

    private final Path folder = Folders.temporary("bench");
    private final PolicyFile policies = new PolicyFile(folder.resolve("policies.yaml"));
    private final RedisServer redis;
    private final ApplicationServer application;

    MeasuredServers() throws IOException {
        policies.write(1);
        redis = RedisServer.start(new RedisSettings(
                "redis", folder.resolve("redis"), folder.resolve("redis.log"), Loopback.freePort(), Durability.THROWAWAY));
        try {
            application = ApplicationServer.start(new ApplicationSettings(
                    "limiter-figures",
                    built(),
                    folder.resolve("limiter-figures.log"),
                    Loopback.freePort(),
                    Map.of(
                            "MERIDIAN_LIMITER_REGION", "us-east",
                            "MERIDIAN_KEYS_SECRET", "000102030405060708090a0b0c0d0e0f",
                            "MERIDIAN_LIMITER_POLICIES_FILE", policies.file().toString(),
                            "MERIDIAN_LIMITER_REDIS_HOSTS", redis.url(),
                            "MERIDIAN_BENCH_REDIS", redis.url()),
                    JVM_OPTIONS));
        } catch (RuntimeException e) {
            redis.close();
            throw e;
        }
    }

    /** The application, which the build has left beside this class, be it loose or in a jar. */
    private static Path built() {
        String here = MeasuredServers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        return Path.of(URI.create(here)).resolveSibling("quarkus-app/quarkus-run.jar");
    }

    URI at(String path) {
        return URI.create(application.url() + path);
    }

    /** The first {@code size} policies of a large installation, of which at most three apply to what is asked. */
    void changePolicies(int size) throws IOException {
        policies.change(size, at(Loads.CHECK), Loads.QUESTION.replace(EncodedRequest.KEY, "0"));
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
