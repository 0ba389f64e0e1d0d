package io.meridian.stack.run;

import io.meridian.stack.process.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a supervisor that died has left behind. Its guards end the parts by themselves; this waits for them, and makes sure. */
final class Leftovers {
    private static final Duration GUARDS_NEED = Duration.ofSeconds(15);

    private Leftovers() {}

    static void clear(StateFolder folder) throws IOException {
        StackState state = StateFile.read(folder).orElse(null);
        if (state == null) {
            return;
        }
        List<ProcessHandle> alive = state.parts().stream()
                .map(PartState::process)
                .map(ProcessIdentity::handle)
                .flatMap(Optional::stream)
                .toList();
        if (!ended(alive)) {
            alive.forEach(ProcessHandle::destroyForcibly);
            ended(alive);
        }
        StateFile.delete(folder);
    }

    private static boolean ended(List<ProcessHandle> processes) {
        try {
            CompletableFuture.allOf(
                            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .get(GUARDS_NEED.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
