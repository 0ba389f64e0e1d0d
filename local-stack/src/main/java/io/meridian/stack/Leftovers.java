package io.meridian.stack;

import static java.util.stream.Collectors.joining;

import io.meridian.stack.process.StartFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a supervisor that died has left behind. Its guards end the parts by themselves; this waits for them, and makes sure. */
final class Leftovers {
    private static final Duration GUARDS_NEED = Duration.ofSeconds(15);

    private Leftovers() {}

    /** Returns when nothing is left; what survives even the kill is a failure. For holders of the lock only. */
    static void clear(StateFolder folder) throws IOException {
        List<PartState> parts =
                StateFile.readable(folder).map(StackState::parts).orElse(List.of());
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
        StateFile.delete(folder);
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
