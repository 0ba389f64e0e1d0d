package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.CacheFolder;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Redis process. Kept data goes to an append-only file, at most a second of it can be lost with the machine. */
public final class RedisServer implements Server {
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    /** After how long the other nodes of a cluster take one for dead: far more than a busy machine's pauses. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(15);

    private final ChildProcess process;
    private final int port;

    private RedisServer(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    public static RedisServer start(RedisSettings settings) {
        return start(settings, forked -> {});
    }

    /** Tells of the server as soon as it has a process, and returns when it answers. */
    public static RedisServer start(RedisSettings settings, Consumer<RedisServer> forked) {
        try {
            Files.createDirectories(settings.directory());
            ChildProcess process =
                    ChildProcess.start(ChildCommand.of(settings.name(), command(settings), settings.log()));
            RedisServer server = new RedisServer(process, settings.port());
            forked.accept(server);
            new Readiness(TimeSource.system(), READY_WITHIN).await(process, server.probe());
            return server;
        } catch (IOException e) {
            throw new StartFailure(settings.name() + " cannot be started: " + e, e);
        }
    }

    private static List<String> command(RedisSettings settings) throws IOException {
        return List.of(
                RedisBinary.find(settings.release()).toString(),
                "--port",
                Integer.toString(settings.port()),
                "--bind",
                Loopback.HOST,
                "--dir",
                settings.directory().toString(),
                "--daemonize",
                "no",
                "--save",
                "",
                "--appendonly",
                settings.durability() == Durability.KEPT ? "yes" : "no",
                "--appendfsync",
                "everysec",
                "--maxmemory-policy",
                "noeviction",
                "--cluster-enabled",
                settings.clustered() ? "yes" : "no",
                "--cluster-node-timeout",
                Long.toString(NODE_TIMEOUT.toMillis()));
    }

    /** Takes all data from the one at this port of this machine, which goes on running. */
    public static void wipe(int port) throws IOException {
        String reply = RedisLine.askOnce(port, "FLUSHALL");
        if (!reply.equals("+OK")) {
            throw new IOException("FLUSHALL was answered with " + reply);
        }
    }

    public int port() {
        return port;
    }

    /** As the Quarkus client spells it. */
    public String url() {
        return "redis://" + Loopback.HOST + ":" + port;
    }

    @Override
    public Probe probe() {
        return ProbeKind.REDIS.at(Integer.toString(port));
    }

    @Override
    public ChildProcess process() {
        return process;
    }

    /**
     * Folder, log and port (of 127.0.0.1) of a Redis.
     *
     * @param name how messages call it: a stack has one per region
     * @param clustered whether it can be a node of a Redis Cluster
     */
    public record RedisSettings(
            String name,
            Path directory,
            Path log,
            int port,
            Durability durability,
            RedisRelease release,
            boolean clustered) {
        /** A server that stands alone, of the preferred release. */
        public RedisSettings(String name, Path directory, Path log, int port, Durability durability) {
            this(name, directory, log, port, durability, RedisRelease.PREFERRED, false);
        }
    }

    /** Which redis-server to run. */
    public enum RedisRelease {
        /** The machine's own where there is one, unless {@code MERIDIAN_REDIS=bundled} says otherwise; else the bundled one. */
        PREFERRED,
        /** The machine's own, which must be there. */
        INSTALLED,
        /** The one of a jar: Redis 6.2, the oldest we support. */
        BUNDLED
    }

    /** The redis-server to run: the machine's own where there is one, else the one of a jar (Redis 6.2). */
    static final class RedisBinary {
        static final String CHOICE = "MERIDIAN_REDIS";

        private RedisBinary() {}

        static Path find(RedisRelease release) throws IOException {
            Optional<Path> own = own(release, Executables.onPath("redis-server"), System.getenv());
            return own.isPresent()
                    ? own.get()
                    : CacheFolder.ofUser().file(redis.embedded.RedisServer.class, "/" + bundled());
        }

        /** The machine's own, if it is to be used. */
        static Optional<Path> own(RedisRelease release, Optional<Path> installed, Map<String, String> environment) {
            return switch (release) {
                case BUNDLED -> Optional.empty();
                case INSTALLED ->
                    Optional.of(installed.orElseThrow(() -> new StartFailure("there is no redis-server on the PATH")));
                case PREFERRED ->
                    installed.filter(
                            path -> !environment.getOrDefault(CHOICE, "").equals("bundled"));
            };
        }

        private static String bundled() {
            boolean armLinux = Executables.isArm() && Executables.system().equals("linux");
            String version = armLinux ? "6.2.7" : "6.2.6-v5";
            return "redis-server-%s-%s-%s"
                    .formatted(version, Executables.system(), Executables.isArm() ? "arm64" : "amd64");
        }
    }
}
