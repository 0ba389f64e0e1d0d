package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.stack.MeridianCommand;
import io.meridian.stack.fixture.RedisLine;
import io.meridian.stack.run.PartState;
import io.meridian.stack.run.StackState;
import io.meridian.stack.run.StateFolder;
import io.meridian.stack.server.ApplicationServer;
import io.meridian.stack.server.ApplicationSettings;
import io.meridian.stack.topology.PartNames;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes of a world, by name. A killed sync replica can be started again, as a child of this process. */
final class Parts implements AutoCloseable {
    private static final Duration REDIS_ANSWERS_WITHIN = Duration.ofSeconds(5);

    private final StackState stack;
    private final StateFolder folder;
    private final Map<String, ApplicationServer> replacements = new LinkedHashMap<>();

    Parts(StackState stack, StateFolder folder) {
        this.stack = stack;
        this.folder = folder;
    }

    PartState of(String name) {
        return stack.parts().stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part " + name));
    }

    /** The process itself, not the guard that watches it: signals have to hit what does the work. */
    ProcessHandle process(String name) {
        ApplicationServer replacement = replacements.get(name);
        return replacement == null
                ? of(name).process().handle().orElseThrow(() -> new IllegalStateException(name + " does not run"))
                : ProcessHandle.of(replacement.process().pid()).orElseThrow();
    }

    boolean isAlive(String name) {
        ApplicationServer replacement = replacements.get(name);
        return replacement == null
                ? of(name).process().isAlive()
                : replacement.process().isAlive();
    }

    void freeze(String name) throws Exception {
        Signals.freeze(process(name));
    }

    void thaw(String name) throws Exception {
        Signals.thaw(process(name));
    }

    void kill(String name) throws Exception {
        Signals.kill(process(name));
    }

    /** Starts a killed sync replica again with the settings it had, and returns when it is ready. */
    void restartSync(String name) {
        ApplicationSettings settings = new ApplicationSettings(
                name,
                MeridianCommand.HOME.resolve("sync-service/target/quarkus-app/quarkus-run.jar"),
                folder.log(name),
                URI.create(of(name).address()).getPort(),
                Map.of(
                        "MERIDIAN_SYNC_REPLICA",
                        name,
                        "KAFKA_BOOTSTRAP_SERVERS",
                        of(PartNames.KAFKA).address()),
                List.of());
        replacements.put(name, ApplicationServer.start(settings));
    }

    /** Takes all data from a region's Redis, which goes on running. */
    void wipeRedis(String region) throws Exception {
        int port = URI.create(of(PartNames.redis(region)).address()).getPort();
        try (RedisLine line = new RedisLine(port, REDIS_ANSWERS_WITHIN)) {
            assertThat(line.ask("FLUSHALL")).isEqualTo("+OK");
        }
    }

    /** Thaws what is frozen and starts the sync replicas that are dead. */
    void mend() throws Exception {
        for (PartState part : stack.parts()) {
            if (isAlive(part.name()) && Signals.isFrozen(process(part.name()))) {
                thaw(part.name());
            }
        }
        for (String replica : PartNames.SYNC_REPLICAS) {
            if (!isAlive(replica)) {
                restartSync(replica);
            }
        }
    }

    @Override
    public void close() {
        replacements.values().forEach(ApplicationServer::close);
    }
}
