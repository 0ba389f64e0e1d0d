package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A Redis of one's own. Kept data goes to an append-only file, at most a second of it can be lost with the machine. */
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
        String reply = RedisLine.ask(port, "FLUSHALL");
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
}
