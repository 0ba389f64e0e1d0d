package io.meridian.stack.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A launcher to be killed: starts one child, says its process id, and waits. */
final class LauncherMain {
    private LauncherMain() {}

    public static void main(String[] args) {
        ChildCommand command = new ChildCommand(
                "child", List.of("sh", "-c", args[1]), Map.of(), Path.of(args[0]), "TERM", Duration.ofSeconds(1));
        ChildProcess child = ChildProcess.start(command);
        System.out.println(child.pid());
        child.onExit().join();
    }
}
