package io.meridian.stack.servers;

import io.meridian.stack.process.CacheFolder;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The redis-server to run: the machine's own where there is one, else the one of a jar (Redis 6.2). */
final class RedisBinary {
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
                installed.filter(path -> !environment.getOrDefault(CHOICE, "").equals("bundled"));
        };
    }

    private static String bundled() {
        boolean armLinux = Machine.isArm() && Machine.system().equals("linux");
        String version = armLinux ? "6.2.7" : "6.2.6-v5";
        return "redis-server-%s-%s-%s".formatted(version, Machine.system(), Machine.isArm() ? "arm64" : "amd64");
    }
}
