package io.meridian.testkit.services;

import io.meridian.stack.process.Folders;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.servers.ApplicationServer;
import io.meridian.stack.servers.ApplicationServer.ApplicationSettings;
import io.meridian.testkit.servers.KafkaUnderTest;
import io.meridian.testkit.servers.PostgresUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A config-service process of its own, from the built application, for a test to ask, kill and start again. */
public final class ConfigInstance implements AutoCloseable {
    /** From the folder of any module, which is where Maven runs its tests. */
    private static final Path APPLICATION = Path.of("../config-service/target/quarkus-app/quarkus-run.jar")
            .toAbsolutePath()
            .normalize();

    private static final String TOKEN = "7a".repeat(32);

    private final Path folder;
    private final ApplicationSettings settings;
    private ApplicationServer server;

    private ConfigInstance(Path folder, ApplicationSettings settings, ApplicationServer server) {
        this.folder = folder;
        this.settings = settings;
        this.server = server;
    }

    /** Returns when it says that it is ready, which it does without its servers too. */
    public static ConfigInstance start(PostgresUnderTest postgres, KafkaUnderTest kafka) {
        Path folder = Folders.temporary("config-service");
        Path token = folder.resolve("admin-token");
        try {
            Files.writeString(token, TOKEN + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Started often and living shortly: the second compiler would only take time from the others.
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        postgres.properties().forEach((name, value) -> options.add(option(name, value)));
        options.add(option("kafka.bootstrap.servers", kafka.bootstrapServers()));
        options.add(option("meridian.config.access.admin-token-file", token.toString()));
        ApplicationSettings settings = new ApplicationSettings(
                "config-service", APPLICATION, folder.resolve("service.log"), Loopback.freePort(), Map.of(), options);
        return new ConfigInstance(folder, settings, ApplicationServer.start(settings));
    }

    private static String option(String property, String value) {
        return "-D" + property + "=" + value;
    }

    /** Address of a path: {@code /admin/api/v1/policies}. */
    public URI uri(String path) {
        return URI.create(server.url() + path);
    }

    /** The first admin's. */
    public String token() {
        return TOKEN;
    }

    /** Log of all its processes. */
    public Path log() {
        return settings.log();
    }

    /** Ends it without warning, as kill -9 does. */
    public void kill() {
        server.process().kill();
    }

    /** Starts it again at the same address with the same settings, after killing it if it still runs. */
    public void restart() {
        kill();
        server = ApplicationServer.start(settings);
    }

    @Override
    public void close() {
        server.close();
        Folders.deleteTemporary(folder);
    }
}
