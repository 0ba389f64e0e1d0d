package io.meridian.chaos.cli;

import io.meridian.chaos.drill.file.Drill;
import io.meridian.stack.process.Executables;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C while a drill runs: its thread is interrupted, and the process waits, for so long, until all is undone. */
final class Interruption {
    /** For what every drill undoes: links, policies, and a stack of its own. */
    private static final Duration USUAL = Duration.ofMinutes(3);

    private static final CountDownLatch MAIN_DONE = new CountDownLatch(1);

    private final Thread running = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "interruption");

    private final Duration within;

    /** @param drills one of which is running when it comes */
    Interruption(List<Drill> drills) {
        within = within(drills);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** As long as the slowest of them may take, and never longer than this process is left to live. */
    static Duration within(List<Drill> drills) {
        Duration slowest = drills.stream()
                .map(Drill::undoneWithin)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .plus(USUAL);
        return slowest.compareTo(Executables.UNDO_MAX) < 0 ? slowest : Executables.UNDO_MAX;
    }

    /** The process may end. */
    static void mainIsDone() {
        MAIN_DONE.countDown();
    }

    private void interrupt() {
        running.interrupt();
        try {
            if (!MAIN_DONE.await(within.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("Not all was undone within " + within.toSeconds() + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** From now on Ctrl-C ends the process at once, unless it is ending already. */
    void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // Then the hook runs, and waits for the end of this.
            Thread.currentThread().interrupt();
        }
    }
}
