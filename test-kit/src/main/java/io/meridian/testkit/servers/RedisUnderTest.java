package io.meridian.testkit.servers;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.RedisLine;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Redis that a test may break: clients come through a {@link FaultyLink}, and the process can be
 * killed, frozen, wiped, made a replica, and started again at the same address.
 */
public final class RedisUnderTest implements AutoCloseable {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final Path folder;
    private final RedisSettings settings;
    private final FaultyLink link;
    private RedisServer server;
    private boolean frozen;

    private RedisUnderTest(Path folder, RedisSettings settings, FaultyLink link, RedisServer server) {
        this.folder = folder;
        this.settings = settings;
        this.link = link;
        this.server = server;
    }

    /** Starts one that is empty after every restart. */
    public static RedisUnderTest start() {
        return start(Durability.THROWAWAY);
    }

    /** Starts one; {@link Durability#KEPT} has an append-only file, which survives a kill. */
    public static RedisUnderTest start(Durability durability) {
        Path folder = Folders.temporary("redis-under-test");
        RedisSettings settings = new RedisSettings(
                "redis-under-test",
                folder.resolve("data"),
                folder.resolve("redis.log"),
                Loopback.freePort(),
                durability);
        RedisServer server = RedisServer.start(settings);
        return new RedisUnderTest(
                folder, settings, FaultyLink.to(settings.name(), Loopback.freePort(), settings.port()), server);
    }

    /** Address for clients: goes through the link, and stays the same over restarts. */
    public String url() {
        return "redis://" + Loopback.HOST + ":" + link.port();
    }

    public FaultyLink link() {
        return link;
    }

    /** Ends the process without warning, as kill -9 does. */
    public synchronized void kill() {
        server.process().kill();
        frozen = false;
    }

    /** Starts it again at the same address, after killing it if it still runs: with its data if that is kept. */
    public synchronized void restart() {
        kill();
        server = RedisServer.start(settings);
    }

    /** Starts it again at the same address with nothing of its data. */
    public synchronized void restartEmpty() {
        kill();
        Folders.deleteTemporary(settings.directory());
        server = RedisServer.start(settings);
    }

    /** Stops the process where it stands: connections stay, new ones are taken by the system, nobody answers. */
    public synchronized void freeze() {
        server.process().freeze();
        frozen = true;
    }

    public synchronized void thaw() {
        server.process().thaw();
        frozen = false;
    }

    /** Takes all data away from the running process. */
    public void wipe() {
        require("+OK", "FLUSHALL");
    }

    /** Forgets all scripts: the next call by digest is NOSCRIPT. */
    public void flushScripts() {
        require("+OK", "SCRIPT", "FLUSH");
    }

    /** Makes it a replica of nobody, so that writes are READONLY, as after a failover; its data stays. */
    public void makeReadOnly() {
        require("+OK", "REPLICAOF", Loopback.HOST, Integer.toString(Loopback.freePort()));
    }

    public void makeWritable() {
        require("+OK", "REPLICAOF", "NO", "ONE");
    }

    /** A connection past the link, straight to the server. */
    public RedisLine line() throws IOException {
        return line(ANSWER_WITHIN);
    }

    public RedisLine line(Duration answerWithin) throws IOException {
        return new RedisLine(settings.port(), answerWithin);
    }

    /** Asks one thing, straight; the answer as {@link RedisLine#ask} spells it. */
    public String ask(String... command) {
        try (RedisLine line = line()) {
            return line.ask(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void require(String expected, String... command) {
        String answer = ask(command);
        if (!answer.equals(expected)) {
            throw new IllegalStateException(String.join(" ", command) + " was answered with " + answer);
        }
    }

    @Override
    public synchronized void close() {
        if (frozen) {
            thaw();
        }
        link.close();
        server.close();
        Folders.deleteTemporary(folder);
    }
}
