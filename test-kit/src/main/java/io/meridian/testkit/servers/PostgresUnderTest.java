package io.meridian.testkit.servers;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.PostgresServer;
import io.meridian.stack.servers.PostgresServer.PostgresSettings;
import io.meridian.stack.servers.Server.Durability;
import io.meridian.testkit.servers.TestServers.QuarkusKeys;
import java.nio.file.Path;
import java.util.Map;

/** A PostgreSQL whose clients come through a {@link FaultyLink}, and which can be killed and started again with its data. */
public final class PostgresUnderTest implements AutoCloseable {
    private final Path folder;
    private final PostgresSettings settings;
    private final FaultyLink link;
    private PostgresServer server;

    private PostgresUnderTest(Path folder, PostgresSettings settings, FaultyLink link, PostgresServer server) {
        this.folder = folder;
        this.settings = settings;
        this.link = link;
        this.server = server;
    }

    /** One that keeps its data over a kill. */
    public static PostgresUnderTest start() {
        Path folder = Folders.temporary("postgres-under-test");
        int port = Loopback.freePort();
        FaultyLink link = FaultyLink.to("postgres-under-test", Loopback.freePort(), port);
        PostgresSettings settings =
                new PostgresSettings(folder.resolve("data"), folder.resolve("postgres.log"), port, Durability.KEPT);
        try {
            return new PostgresUnderTest(folder, settings, link, PostgresServer.start(settings));
        } catch (RuntimeException failed) {
            link.close();
            throw failed;
        }
    }

    /** Settings of a service that uses it through the link; they stay the same over restarts. */
    public Map<String, String> properties() {
        return QuarkusKeys.postgres(
                Loopback.HOST + ":" + link.port() + "/" + PostgresServer.DATABASE,
                PostgresServer.USER,
                PostgresServer.PASSWORD);
    }

    public FaultyLink link() {
        return link;
    }

    public boolean isAlive() {
        return server.process().isAlive();
    }

    public void kill() {
        server.process().kill();
    }

    /** Starts it again at the same address with its data, after killing it if it still runs. */
    public void restart() {
        kill();
        server = PostgresServer.start(settings);
    }

    @Override
    public void close() {
        link.close();
        server.close();
        Folders.deleteTemporary(folder);
    }
}
