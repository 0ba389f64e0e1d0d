package io.meridian.drill.cli;

import io.meridian.drill.definition.Drill;
import io.meridian.stack.process.Executables;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shutdown hook for Ctrl-C during a drill: it interrupts the drill's thread, and delays the exit until everything is undone, up to a bound. */
final class InterruptHandler {
    /** For links, policies, and a stack of its own, which every drill may have to undo. */
    private static final Duration BASE = Duration.ofMinutes(3);

    private static final CountDownLatch MAIN_DONE = new CountDownLatch(1);

    private final Thread running = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "interruption");

    private final Duration within;

    /** @param drills those that may be running when Ctrl-C arrives */
    InterruptHandler(List<Drill> drills) {
        within = within(drills);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Bound on the undoing: that of the slowest drill, at most the time after which this process is killed. */
    static Duration within(List<Drill> drills) {
        Duration slowest = drills.stream()
                .map(Drill::undoMax)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .plus(BASE);
        return slowest.compareTo(Executables.UNDO_MAX) < 0 ? slowest : Executables.UNDO_MAX;
    }

    /** Lets the process exit. */
    static void mainIsDone() {
        MAIN_DONE.countDown();
    }

    private void interrupt() {
        running.interrupt();
        try {
            if (!MAIN_DONE.await(within.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("Not everything was undone within " + within.toSeconds() + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes the hook, so that Ctrl-C ends the process at once, unless it is exiting already. */
    void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // The hook is running, and waits for this thread.
            Thread.currentThread().interrupt();
        }
    }
}
