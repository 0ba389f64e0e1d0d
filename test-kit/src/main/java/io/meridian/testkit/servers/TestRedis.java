package io.meridian.testkit.servers;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.RedisServer;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.stack.servers.RedisServer.RedisSettings;
import io.meridian.stack.servers.Server.Durability;
import java.nio.file.Path;

/** A Redis of a chosen release for tests that are not Quarkus tests. */
public final class TestRedis implements AutoCloseable {
    private final Path folder;
    private final RedisServer server;

    private TestRedis(Path folder, RedisServer server) {
        this.folder = folder;
        this.server = server;
    }

    public static TestRedis start(RedisRelease release) {
        Path folder = Folders.temporary("redis");
        RedisSettings settings = new RedisSettings(
                "redis",
                folder,
                folder.resolve("server.log"),
                Loopback.freePort(),
                Durability.THROWAWAY,
                release,
                false);
        return new TestRedis(folder, RedisServer.start(settings));
    }

    public String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
        Folders.deleteTemporary(folder);
    }
}
