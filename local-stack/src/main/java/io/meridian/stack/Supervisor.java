package io.meridian.stack;

import io.meridian.model.time.TimeSource;
import io.meridian.stack.ManagedPart.PartLaunch;
import io.meridian.stack.StateFolder.RunLock;
import io.meridian.stack.StateFolder.SecretFile;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.StackPlan;
import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.rules.AdminApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Supervisor of one stack: starts it, keeps its state file, and stops it. One per state folder. */
public final class Supervisor implements AutoCloseable {
    private final StateFolder folder;
    private final StackProgress progress;
    private final RunLock lock;
    private final LocalStack stack;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean ready;

    private Supervisor(StateFolder folder, StackProgress progress, RunLock lock, LocalStack stack) {
        this.folder = folder;
        this.progress = progress;
        this.lock = lock;
        this.stack = stack;
    }

    /** Refuses what cannot work before anything starts: another supervisor, or a taken port. */
    public static Supervisor prepare(StateFolder folder, StackPlan plan, StackProgress progress) throws IOException {
        RunLock lock = RunLock.tryAcquire(folder).orElseThrow(() -> alreadyRuns(folder));
        try {
            Shutdown.clearLeftovers(folder);
            PortCheck.allFree(plan.ports());
            if (plan.fresh()) {
                folder.forgetData();
            }
            SecretFile.ensureAll(folder);
            return new Supervisor(folder, progress, lock, new LocalStack(plan.regions(), plan.ports(), progress));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** The checks of a start, without starting. */
    public static void check(StateFolder folder, StackPlan plan) throws IOException {
        RunLock lock = RunLock.tryAcquire(folder).orElseThrow(() -> alreadyRuns(folder));
        try (lock) {
            Shutdown.clearLeftovers(folder);
            PortCheck.allFree(plan.ports());
        }
    }

    private static StartFailure alreadyRuns(StateFolder folder) {
        try {
            String pid = StackState.readable(folder)
                    .map(state -> " (process " + state.supervisor().pid() + ")")
                    .orElse("");
            return new StartFailure("The stack already runs" + pid + ": status shows it, down stops it.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when every part is ready and, on a first start, the first rules are in effect. */
    public StackState start(StackPlan plan) throws IOException {
        write();
        startAll(new ServerParts(folder, plan.regions(), plan.ports()).all());
        startAll(new ServiceParts(folder, plan).all());
        startAll(new ObserverParts(folder, plan).all());
        String token = Files.readString(folder.adminToken()).strip();
        AdminApi api =
                new AdminApi("http://" + Loopback.HOST + ":" + plan.ports().of(PartNames.CONFIG_SERVICE), token);
        new InitialRules(api, plan.regions(), progress, TimeSource.system(), this::isClosed).load();
        ready = true;
        return write();
    }

    private void startAll(List<PartLaunch> launches) throws IOException {
        for (PartLaunch launch : launches) {
            folder.beginLog(launch.name());
        }
        stack.start(launches, this::rewrite);
    }

    /** As soon as a part has a process: after a crash, the next command has to know of it. */
    private void rewrite() {
        try {
            write();
        } catch (IOException e) {
            throw new StartFailure("The state cannot be written: " + e, e);
        }
    }

    private synchronized StackState write() throws IOException {
        StackState state = new StackState(
                ProcessIdentity.of(ProcessHandle.current()),
                ready,
                "http://" + Loopback.HOST + ":" + stack.faultsPort(),
                stack.parts());
        if (!isClosed()) {
            StackState.write(folder, state);
        }
        return state;
    }

    private synchronized void forgetState() throws IOException {
        StackState.delete(folder);
    }

    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        progress.stopping();
        stack.close();
        try {
            forgetState();
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listener of a start and of what happens after it. */
    public interface StackProgress {
        void ready(String name, Duration took);

        /** A remark that stops nothing. */
        void note(String line);

        void died(String name, int exitCode);

        void stopping();
    }
}
