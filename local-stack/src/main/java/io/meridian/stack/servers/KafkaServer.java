package io.meridian.stack.servers;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.process.ChildCommand;
import io.meridian.stack.process.ChildProcess;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.Readiness;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A Kafka of one's own in KRaft mode. */
public final class KafkaServer implements Server {
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);

    private final ChildProcess process;
    private final KafkaSettings settings;

    private KafkaServer(ChildProcess process, KafkaSettings settings) {
        this.process = process;
        this.settings = settings;
    }

    public static KafkaServer start(KafkaSettings settings) {
        return start(settings, forked -> {});
    }

    /** Tells of the server as soon as it has a process, and returns when it answers. */
    public static KafkaServer start(KafkaSettings settings, Consumer<KafkaServer> forked) {
        try {
            Files.createDirectories(settings.directory());
            ChildProcess process = ChildProcess.start(
                    ChildCommand.of("kafka", command(KafkaProperties.write(settings)), settings.log()));
            KafkaServer server = new KafkaServer(process, settings);
            forked.accept(server);
            new Readiness(TimeSource.system(), READY_WITHIN).await(process, server.probe());
            return server;
        } catch (IOException e) {
            throw new StartFailure("kafka cannot be started: " + e, e);
        }
    }

    private static List<String> command(Path properties) {
        return List.of(
                Executables.java().toString(),
                "-Xms128m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                // The load of a laptop or a test does not pay for the second compiler.
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.logFile=System.out",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSX",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaMain.class.getName(),
                properties.toString());
    }

    /** What clients of this listener connect to: its advertised address. */
    public String bootstrapServers(String listener) {
        return settings.listeners().stream()
                .filter(door -> door.name().equals(listener))
                .map(door -> Loopback.HOST + ":" + door.advertisedPort())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("listener must be one of the settings', got " + listener));
    }

    /** An address no proxy stands before. */
    public String internalAddress() {
        return Loopback.HOST + ":" + settings.internalPort();
    }

    @Override
    public Probe probe() {
        return ProbeKind.KAFKA.at(internalAddress());
    }

    @Override
    public ChildProcess process() {
        return process;
    }
}
