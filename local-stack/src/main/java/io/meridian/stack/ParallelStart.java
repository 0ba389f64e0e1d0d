package io.meridian.stack;

import io.meridian.stack.process.StartFailure;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Starts parts side by side, a few more than the machine has cores: a starting part also waits. */
final class ParallelStart implements AutoCloseable {
    private static final int STOP_SECONDS_MAX = 30;

    private final ExecutorService workers =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors() + 1);

    /** Returns when all are done; the first that fails ends the others and is thrown. */
    void run(List<Runnable> starts) {
        CompletionService<Void> running = new ExecutorCompletionService<>(workers);
        try {
            starts.forEach(start -> running.submit(start, null));
            for (int done = 0; done < starts.size(); done++) {
                running.take().get();
            }
        } catch (ExecutionException e) {
            close();
            throw e.getCause() instanceof StartFailure failure
                    ? failure
                    : new StartFailure("Unexpected: " + e.getCause(), e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new StartFailure("interrupted", e);
        } catch (RejectedExecutionException e) {
            throw new StartFailure("stopped during the start", e);
        }
    }

    /** A second interrupt would reach those that are stopping in order what they had begun. */
    private synchronized void interruptOnce() {
        if (!workers.isShutdown()) {
            workers.shutdownNow();
        }
    }

    /** Ends what is still starting; each start takes its own process down with it. */
    @Override
    public void close() {
        interruptOnce();
        try {
            workers.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
