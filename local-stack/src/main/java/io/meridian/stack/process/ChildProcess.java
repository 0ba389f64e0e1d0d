package io.meridian.stack.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running child under its guard. Stopping it and dying are one and the same to the guard: the pipe closes. So the way
 * that has to work when the launcher is killed is the way every ordinary stop takes.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration KILL_MARGIN = Duration.ofSeconds(5);

    private final ChildCommand command;
    private final Process guard;
    private final long pid;

    /** Empty when the child had ended before one could look. */
    private final Optional<ProcessHandle> child;

    private ChildProcess(ChildCommand command, Process guard, long pid) {
        this.command = command;
        this.guard = guard;
        this.pid = pid;
        this.child = ProcessHandle.of(pid);
    }

    public static ChildProcess start(ChildCommand command) {
        try {
            Files.createDirectories(command.log().toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(guarded(command));
            builder.environment().putAll(command.environment());
            builder.redirectError(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
            Process guard = builder.start();
            return new ChildProcess(command, guard, pidFrom(guard, command));
        } catch (IOException e) {
            throw new StartFailure(command.name() + " cannot be started: " + e.getMessage(), e);
        }
    }

    private static List<String> guarded(ChildCommand command) throws IOException {
        List<String> guarded = new ArrayList<>();
        guarded.add("sh");
        guarded.add(CacheFolder.ofUser().file(ChildProcess.class, "guard.sh").toString());
        guarded.add(command.stopSignal());
        guarded.add(Long.toString(command.stopGrace().toSeconds()));
        guarded.add(command.log().toString());
        guarded.addAll(Executables.ownSessionPrefix());
        guarded.addAll(command.command());
        return guarded;
    }

    private static long pidFrom(Process guard, ChildCommand command) throws IOException {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(guard.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            if (line == null) {
                throw StartFailure.withLog(command.name() + " was not started by its guard.", command.log());
            }
            return Long.parseLong(line);
        }
    }

    public String name() {
        return command.name();
    }

    public long pid() {
        return pid;
    }

    public ProcessIdentity identity() {
        return child.map(ProcessIdentity::of).orElseGet(() -> new ProcessIdentity(pid, 0));
    }

    public Path log() {
        return command.log();
    }

    public boolean isAlive() {
        return guard.isAlive();
    }

    /** Completes with the child's exit code. */
    public CompletableFuture<Integer> onExit() {
        return guard.onExit().thenApply(Process::exitValue);
    }

    /** Waits at most this long; true when the child is gone. */
    boolean awaitExit(Duration atMost) throws InterruptedException {
        return guard.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Takes the child away without warning, as a crash would. */
    public void kill() {
        // They notice that it is gone, and may hold its memory and files for a moment longer.
        List<ProcessHandle> descendants =
                child.stream().flatMap(ProcessHandle::descendants).toList();
        child.ifPresent(ProcessHandle::destroyForcibly);
        awaitEnd();
        awaitEnd(descendants);
    }

    /**
     * Stops the child where it stands: its sockets stay open and nobody answers. Returns when it is so. The child before its
     * own, so that it begets no more of them.
     */
    public void freeze() {
        child.ifPresent(Freezer::freeze);
        child.stream().flatMap(ProcessHandle::descendants).forEach(Freezer::freeze);
    }

    /** Lets a frozen child go on where it stood. */
    public void thaw() {
        child.stream().flatMap(ProcessHandle::descendants).forEach(Freezer::thaw);
        child.ifPresent(Freezer::thaw);
    }

    public boolean isFrozen() {
        return child.filter(Freezer::isFrozen).isPresent();
    }

    /** Asks the child to end. From now on the guard sees to it. */
    public void askToStop() {
        try {
            guard.getOutputStream().close();
        } catch (IOException e) {
            child.ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Asks the child to end, and returns when it is gone: at the latest after its grace, when the guard kills it. */
    @Override
    public void close() {
        askToStop();
        awaitEnd();
    }

    private static void awaitEnd(List<ProcessHandle> descendants) {
        CompletableFuture<?>[] ends =
                descendants.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(KILL_MARGIN.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            descendants.forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException e) {
            descendants.forEach(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd() {
        try {
            if (!awaitExit(command.stopGrace().plus(KILL_MARGIN))) {
                child.ifPresent(ProcessHandle::destroyForcibly);
                guard.destroyForcibly();
            }
        } catch (InterruptedException e) {
            child.ifPresent(ProcessHandle::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
