package io.meridian.config;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Gives the service under test a first admin. */
public final class AdminTokenResource implements QuarkusTestResourceLifecycleManager {
    /** The first admin's token: of the form that the local stack's has. */
    public static final String TOKEN = "5e".repeat(32);

    @Override
    public Map<String, String> start() {
        try {
            Path file = Files.createTempFile("admin-token", "");
            Files.writeString(file, TOKEN + "\n");
            file.toFile().deleteOnExit();
            return Map.of("meridian.config.access.admin-token-file", file.toString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void stop() {}
}
