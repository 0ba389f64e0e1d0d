package io.meridian.stack.server;

import io.meridian.stack.process.CacheFolder;
import io.meridian.stack.process.Executables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The redis-server to run: the machine's own where there is one, else the one of a jar (Redis 6.2). */
final class RedisBinary {
    private RedisBinary() {}

    static Path find(RedisRelease release) throws IOException {
        Optional<Path> installed = Executables.onPath("redis-server");
        return release == RedisRelease.PREFERRED && installed.isPresent()
                ? installed.get()
                : CacheFolder.ofUser().file(redis.embedded.RedisServer.class, "/" + bundled());
    }

    private static String bundled() {
        boolean armLinux = Machine.isArm() && Machine.system().equals("linux");
        String version = armLinux ? "6.2.7" : "6.2.6-v5";
        return "redis-server-%s-%s-%s".formatted(version, Machine.system(), Machine.isArm() ? "arm64" : "amd64");
    }
}
