package io.meridian.stack;

import io.meridian.stack.process.Executables;
import io.meridian.stack.process.OwnSession;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A supervisor in a process and session of its own, so that it stays when the terminal goes. */
public final class Detached {
    private static final int PAUSE_MILLIS = 100;

    private Detached() {}

    /** Runs the command's main class with these arguments and shows its output until the stack is ready. Empty when it ended instead. */
    public static Optional<StackState> start(
            StateFolder folder, String mainClass, List<String> arguments, PrintStream out)
            throws IOException, InterruptedException {
        folder.beginLog("supervisor");
        File log = folder.log("supervisor").toFile();
        Process supervisor = new ProcessBuilder(command(mainClass, arguments))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        // Whoever loses patience before the stack is ready does not want it to come up behind their back.
        Thread abandon = new Thread(supervisor::destroy, "abandon");
        Runtime.getRuntime().addShutdownHook(abandon);
        try (LogFollower follower = new LogFollower(log.toPath())) {
            boolean ended = false;
            Optional<StackState> ready = Optional.empty();
            while (!ended && ready.isEmpty()) {
                ended = supervisor.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                ready = StateFile.read(folder).filter(state -> isReady(state, supervisor.pid()));
                follower.copyTo(out);
            }
            Runtime.getRuntime().removeShutdownHook(abandon);
            return ready;
        }
    }

    private static boolean isReady(StackState state, long supervisor) {
        return state.ready() && state.supervisor().pid() == supervisor;
    }

    private static List<String> command(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(OwnSession.prefix());
        command.addAll(List.of(
                Executables.java().toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dmeridian.home=" + System.getProperty("meridian.home", ""),
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(arguments);
        return command;
    }
}
