package io.meridian.stack.run;

import io.meridian.stack.process.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends a stack from outside: asks its supervisor, and clears up where that has died. */
public final class Shutdown {
    private static final Duration SUPERVISOR_NEEDS = Duration.ofSeconds(90);

    private Shutdown() {}

    /** How a stack ended. */
    public enum Outcome {
        NOTHING_RAN,
        STOPPED,
        CLEARED_AFTER_A_CRASH
    }

    /** Returns when no process of the stack is left. */
    public static Outcome of(StateFolder folder) throws IOException {
        Optional<StackState> state = StateFile.read(folder);
        if (state.isEmpty()) {
            return Outcome.NOTHING_RAN;
        }
        Optional<ProcessHandle> supervisor = state.map(StackState::supervisor).flatMap(ProcessIdentity::handle);
        supervisor.ifPresent(Shutdown::end);
        Leftovers.clear(folder);
        return supervisor.isPresent() ? Outcome.STOPPED : Outcome.CLEARED_AFTER_A_CRASH;
    }

    private static void end(ProcessHandle supervisor) {
        supervisor.destroy();
        try {
            supervisor.onExit().get(SUPERVISOR_NEEDS.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            supervisor.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
