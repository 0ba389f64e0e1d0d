package io.meridian.drill.targets;

import io.meridian.drill.targets.DrillTarget.TargetException;
import io.meridian.stack.StateFolder;
import io.meridian.stack.process.Executables;
import io.meridian.stack.process.Folders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stack of its own for a drill, on free ports and in a temporary folder, with two limiters in each region. */
public final class OwnStack implements AutoCloseable {
    private static final Duration UP_WITHIN = Duration.ofMinutes(5);
    private static final Duration DOWN_WITHIN = Duration.ofMinutes(2);

    private final Path home;
    private final StateFolder folder;

    private OwnStack(Path home, StateFolder folder) {
        this.home = home;
        this.folder = folder;
    }

    /**
     * Returns when every part is ready, and takes everything down if one does not become ready.
     *
     * @param home the root of the repository, where the built services are
     */
    public static OwnStack start(Path home) throws IOException, InterruptedException {
        OwnStack stack = new OwnStack(home, new StateFolder(Folders.temporary("drill")));
        boolean up = false;
        try {
            stack.run(UP_WITHIN, "up", "--detach", "--ports-from=0", "--limiters-per-region=2");
            up = true;
            return stack;
        } finally {
            if (!up) {
                stack.close();
            }
        }
    }

    public StateFolder folder() {
        return folder;
    }

    private void run(Duration within, String... arguments) throws IOException, InterruptedException {
        Path target = home.resolve("local-stack/target");
        List<String> command = new ArrayList<>(List.of(
                Executables.java().toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dmeridian.home=" + home,
                "-cp",
                target.resolve("local-stack.jar") + File.pathSeparator + target.resolve("lib") + File.separator + "*",
                "io.meridian.stack.cli.Meridian"));
        command.addAll(List.of(arguments));
        command.add("--state-dir=" + folder.root());
        ExternalCommand.Outcome outcome = ExternalCommand.run(command, within);
        if (outcome.status() != 0) {
            throw new TargetException("the drill's own stack: meridian " + arguments[0] + " failed: " + outcome.stdout()
                    + outcome.stderr());
        }
    }

    /** Takes it down and deletes its folder. */
    @Override
    public void close() throws IOException {
        // An interrupted thread still takes it down.
        boolean interrupted = Thread.interrupted();
        try {
            run(DOWN_WITHIN, "down");
            Folders.delete(folder.root());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
