package io.meridian.bench.limiter;

import io.lettuce.core.RedisClient;
import io.meridian.bench.BenchmarkPolicies;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.ApplicationServer.ApplicationSettings;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import io.meridian.testkit.load.EncodedRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Redis and the measured application, each a process of its own, in a folder that goes with them. */
final class MeasuredServers implements AutoCloseable {
    /** A server's heap and collector, in place of the small ones of a laptop's many services. */
    private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g", "-XX:-UseSerialGC", "-XX:+UseG1GC");

    private final Path folder = Folders.temporary("bench");
    private final MeasuredPolicies policies = new MeasuredPolicies(folder.resolve("policies.yaml"));
    private final RedisServer redis;
    private final ApplicationServer application;

    MeasuredServers() throws IOException {
        policies.write(1);
        redis = RedisServer.start(new RedisSettings(
                "redis",
                folder.resolve("redis"),
                folder.resolve("redis.log"),
                Loopback.freePort(),
                Durability.THROWAWAY));
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

    /** The file from which the measured limiter takes its policies, and takes them anew when it changes. */
    private record MeasuredPolicies(Path file) {
        /** So much that nothing is denied; a set's own size on top tells one set from another. */
        private static final long LIMIT = 100_000_000;

        private static final long TAKEN_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

        void write(int size) throws IOException {
            Path next = file.resolveSibling("policies.next");
            Files.writeString(
                    next,
                    "default_tier: free\npolicies:\n- "
                            + String.join("\n- ", BenchmarkPolicies.json(size, LIMIT + size)) + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        /** Writes and returns once checks are answered by it. */
        void change(int size, URI check, String question) throws IOException {
            write(size);
            String sign = "\"limit\":" + (LIMIT + size);
            long giveUpNanos = TimeSource.system().monotonicNanos() + TAKEN_WITHIN_NANOS;
            String answer = ask(check, question);
            while (!answer.contains(sign)) {
                if (TimeSource.system().monotonicNanos() > giveUpNanos) {
                    throw new IllegalStateException(size + " policies were not taken, the last answer was " + answer);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                answer = ask(check, question);
            }
        }

        private static String ask(URI check, String question) throws IOException {
            HttpURLConnection connection = (HttpURLConnection) check.toURL().openConnection();
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (OutputStream body = connection.getOutputStream()) {
                body.write(question.getBytes(StandardCharsets.UTF_8));
            }
            try (InputStream body = connection.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    /** Number of script calls that Redis has received so far. Redis also counts the commands that scripts call; those are left out. */
    record RedisCalls(long scripts) {
        private static final Pattern CALLS = Pattern.compile("cmdstat_eval\\w*:calls=(\\d+)");

        static RedisCalls read(RedisClient client) {
            try (var connection = client.connect()) {
                return parse(connection.sync().info("commandstats"));
            }
        }

        static RedisCalls parse(String commandStats) {
            long scripts = 0;
            Matcher matcher = CALLS.matcher(commandStats);
            while (matcher.find()) {
                scripts += Long.parseLong(matcher.group(1));
            }
            return new RedisCalls(scripts);
        }
    }

    /** Resource usage of the measured process at one moment. */
    record Meter(long cpuNanos, long allocatedBytes) {
        static Meter read(URI address) throws IOException {
            try (InputStream body = address.toURL().openStream()) {
                String[] numbers = new String(body.readAllBytes(), StandardCharsets.US_ASCII).split(" ", 2);
                return new Meter(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
            }
        }
    }
}
