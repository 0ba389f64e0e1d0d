package io.meridian.stack;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.StackState.PartState;
import io.meridian.stack.StateFolder.RunLock;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Shutdown of a stack from outside: asks its supervisor to end, and ends what a crashed supervisor left behind. */
public final class Shutdown {
    private static final Duration SUPERVISOR_NEEDS = Duration.ofSeconds(90);
    private static final Duration GUARDS_NEED = Duration.ofSeconds(15);
    private static final Duration KILL_NEEDS = Duration.ofSeconds(5);

    private Shutdown() {}

    /** Outcome of a shutdown. */
    public enum Outcome {
        NOTHING_RAN,
        STOPPED,
        CLEARED_AFTER_A_CRASH
    }

    /** Returns when no process of the stack is left, and fails where one cannot be ended. */
    public static Outcome of(StateFolder folder) throws IOException {
        if (!Files.exists(folder.stateFile())) {
            return Outcome.NOTHING_RAN;
        }
        Optional<StackState> state = StackState.readable(folder);
        Optional<ProcessHandle> supervisor = state.map(StackState::supervisor).flatMap(ProcessIdentity::handle);
        supervisor.ifPresent(Shutdown::end);
        Optional<RunLock> lock = RunLock.tryAcquire(folder);
        if (lock.isPresent()) {
            RunLock held = lock.get();
            try (held) {
                clearLeftovers(folder);
            }
        } else if (state.isEmpty()) {
            throw new StartFailure("The stack runs, but " + folder.stateFile()
                    + " does not say as what. The number of its" + " supervisor's process is in " + folder.pidFile()
                    + ": kill that, it takes all else with it.");
        } else if (supervisor.filter(ProcessHandle::isAlive).isPresent()) {
            throw new StartFailure("Still running, although killed: the supervisor (process "
                    + supervisor.get().pid() + ")");
        }
        // Else the next start already holds the lock, and clears up itself.
        return supervisor.isPresent() ? Outcome.STOPPED : Outcome.CLEARED_AFTER_A_CRASH;
    }

    private static void end(ProcessHandle supervisor) {
        supervisor.destroy();
        if (!ends(supervisor, SUPERVISOR_NEEDS)) {
            supervisor.destroyForcibly();
            ends(supervisor, KILL_NEEDS);
        }
    }

    private static boolean ends(ProcessHandle supervisor, Duration within) {
        try {
            supervisor.onExit().get(within.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Ends what a crashed supervisor has left behind. Its guards end the parts by themselves; this waits for them, then kills. What survives
     * even that is a failure. For holders of the lock only.
     */
    static void clearLeftovers(StateFolder folder) throws IOException {
        List<PartState> parts =
                StackState.readable(folder).map(StackState::parts).orElse(List.of());
        if (!ended(parts)) {
            alive(parts).forEach(part -> part.process().handle().ifPresent(ProcessHandle::destroyForcibly));
            if (!ended(parts)) {
                throw new StartFailure("Still running, although killed: "
                        + alive(parts).stream()
                                .map(part -> part.name() + " (process "
                                        + part.process().pid() + ")")
                                .collect(joining(", ")));
            }
        }
        StackState.delete(folder);
    }

    private static List<PartState> alive(List<PartState> parts) {
        return parts.stream().filter(part -> part.process().isAlive()).toList();
    }

    private static boolean ended(List<PartState> parts) {
        CompletableFuture<?>[] ends = parts.stream()
                .flatMap(part -> part.process().handle().stream())
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(GUARDS_NEED.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
