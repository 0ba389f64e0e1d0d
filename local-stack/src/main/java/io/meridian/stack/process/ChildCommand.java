package io.meridian.stack.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Command line of a child process, and the way to end it.
 *
 * @param name how messages and log files call the child
 * @param command program and arguments; the program replaces itself at most by exec, never by a fork
 * @param environment added to the launcher's own
 * @param log the file both outputs are appended to
 * @param stopSignal the signal that asks for an orderly end, without its SIG
 * @param stopGrace how long the orderly end may take before the child is killed; whole seconds
 */
public record ChildCommand(
        String name,
        List<String> command,
        Map<String, String> environment,
        Path log,
        String stopSignal,
        Duration stopGrace) {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    public ChildCommand {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("command must not be empty, name " + name);
        }
        if (stopGrace.toSeconds() < 1) {
            throw new IllegalArgumentException("stopGrace must be at least a second, got " + stopGrace);
        }
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** A command that ends on SIGTERM within ten seconds. */
    public static ChildCommand of(String name, List<String> command, Path log) {
        return new ChildCommand(name, command, Map.of(), log, "TERM", DEFAULT_GRACE);
    }

    public ChildCommand withEnvironment(Map<String, String> added) {
        return new ChildCommand(name, command, added, log, stopSignal, stopGrace);
    }

    public ChildCommand withStopSignal(String signal) {
        return new ChildCommand(name, command, environment, log, signal, stopGrace);
    }
}
