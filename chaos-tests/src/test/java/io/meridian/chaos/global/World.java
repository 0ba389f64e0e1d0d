package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.world.AdminPolicies;
import io.meridian.chaos.drill.world.UsageTopic;
import io.meridian.chaos.stack.MeridianCommand;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Usage;
import io.meridian.stack.process.Folders;
import io.meridian.stack.run.StackState;
import io.meridian.stack.run.StateFile;
import io.meridian.stack.run.StateFolder;
import io.meridian.stack.topology.PartNames;
import io.meridian.stack.topology.Regions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A whole running stack of five regions, and every way in which a scenario may use it. */
final class World {
    /** Where the logs of the last world stay. */
    private static final Path LOGS = Path.of("target/world-logs");

    private final StateFolder folder;
    private final Parts parts;
    private final Policies policies;
    private final CheckClient checks;
    private final UsageTopic usage;

    private World(StateFolder folder, StackState stack, String token) {
        this.folder = folder;
        parts = new Parts(stack);
        policies = new Policies(
                new AdminPolicies(parts.of(PartNames.CONFIG_SERVICE).address(), token, Set.copyOf(Regions.ALL)));
        checks = new CheckClient(Regions.ALL.stream()
                .collect(Collectors.toMap(Function.identity(), region -> parts.of(PartNames.limiter(region, 1))
                        .address())));
        usage = UsageTopic.open(parts.of(PartNames.KAFKA).target(), 0);
    }

    /** Returns when every part is ready; leaves nothing behind when one is not. */
    static World start() throws Exception {
        StateFolder folder = new StateFolder(Folders.temporary("world"));
        try {
            MeridianCommand.Answer up = new MeridianCommand(folder.root()).run("up", "--detach", "--ports-from=0");
            assertThat(up.code()).as(up.output()).isZero();
            String token = Files.readString(folder.adminToken()).strip();
            return new World(folder, StateFile.read(folder).orElseThrow(), token);
        } catch (Exception | AssertionError failed) {
            takeDown(folder);
            throw failed;
        }
    }

    Parts parts() {
        return parts;
    }

    Policies policies() {
        return policies;
    }

    /** What the regions have reported by now, of the window that ends there. */
    Usage usage(Subject subject, Windows windows, long endMicros) {
        return usage.of(new LimitWindow(subject.policy(), subject.key(), windows.startMicros(endMicros)));
    }

    /** Loads a subject at these rates per region. */
    OpenLoop load(Subject subject, Map<String, Double> perSecond) {
        return OpenLoop.start(region -> checks.ask(region, subject), perSecond);
    }

    void close() throws Exception {
        try {
            usage.close();
            checks.close();
        } finally {
            takeDown(folder);
        }
    }

    private static void takeDown(StateFolder folder) throws Exception {
        MeridianCommand.Answer down = new MeridianCommand(folder.root()).run("down");
        keepLogs(folder);
        Folders.delete(folder.root());
        assertThat(down.code()).as(down.output()).isZero();
    }

    private static void keepLogs(StateFolder folder) throws Exception {
        Folders.delete(LOGS);
        Files.createDirectories(LOGS);
        if (Files.exists(folder.logs())) {
            try (var logs = Files.newDirectoryStream(folder.logs())) {
                for (Path log : logs) {
                    Files.copy(log, LOGS.resolve(log.getFileName().toString()));
                }
            }
        }
    }
}
