package io.meridian.chaos.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C while a drill runs: its thread is interrupted, and the process waits, for so long, until all is undone. */
final class Interruption {
    private static final int UNDONE_WITHIN_SECONDS = 180;
    private static final CountDownLatch MAIN_DONE = new CountDownLatch(1);

    private final Thread running = Thread.currentThread();
    private final Thread hook = new Thread(this::interrupt, "interruption");

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The process may end. */
    static void mainIsDone() {
        MAIN_DONE.countDown();
    }

    private void interrupt() {
        running.interrupt();
        try {
            if (!MAIN_DONE.await(UNDONE_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("Not all was undone within " + UNDONE_WITHIN_SECONDS + " s.");
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
