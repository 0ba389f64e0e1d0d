package io.meridian.chaos.drill.run;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Work that an interruption does not break off. It is done on a thread that nobody else knows, because whatever waits within it
 * would give up at an interruption, and a command of the user's be killed half done.
 */
final class Undisturbed {
    private Undisturbed() {}

    /** Returns when it is done; an interruption is kept for later. */
    static <T> T call(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "undisturbed").start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException bug) {
            throw new IllegalStateException("what must not be disturbed broke off", bug.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
