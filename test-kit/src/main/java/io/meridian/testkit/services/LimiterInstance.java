package io.meridian.testkit.services;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.ApplicationServer.ApplicationSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A limiter process of its own, from the built application, for a test to ask, kill, freeze and start again. */
public final class LimiterInstance implements AutoCloseable {
    /** From the folder of any module, which is where Maven runs its tests. */
    private static final Path APPLICATION = Path.of("../regional-limiter/target/quarkus-app/quarkus-run.jar")
            .toAbsolutePath()
            .normalize();

    private final ApplicationSettings settings;
    private ApplicationServer server;

    private LimiterInstance(ApplicationSettings settings, ApplicationServer server) {
        this.settings = settings;
        this.server = server;
    }

    static LimiterInstance start(String name, Path folder, LimiterSettings own) {
        ApplicationSettings settings = new ApplicationSettings(
                name, APPLICATION, folder.resolve(name + ".log"), Loopback.freePort(), Map.of(), own.options());
        return new LimiterInstance(settings, ApplicationServer.start(settings));
    }

    /** Address of a path: {@code /api/v1/rate-limit/check}. */
    public URI uri(String path) {
        return URI.create(server.url() + path);
    }

    public boolean isAlive() {
        return server.process().isAlive();
    }

    /** Log of all its processes. */
    public Path log() {
        return settings.log();
    }

    /** Ends it without warning, as kill -9 does. */
    public void kill() {
        server.process().kill();
    }

    /** Asks it to end in order, and waits for that. */
    public void stop() {
        server.close();
    }

    public void freeze() {
        server.process().freeze();
    }

    public void thaw() {
        server.process().thaw();
    }

    /** Starts it again at the same address with the same settings, after stopping it in order if it still runs. */
    public void restart() {
        close();
        server = ApplicationServer.start(settings);
    }

    @Override
    public void close() {
        thaw();
        stop();
    }
}
