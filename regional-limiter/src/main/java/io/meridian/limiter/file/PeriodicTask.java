package io.meridian.limiter.file;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Periodic task on a thread of its own, which continues after every failure. */
public final class PeriodicTask {
    private static final Logger LOG = Logger.getLogger(PeriodicTask.class);

    private final String name;
    private final Runnable task;
    private final ScheduledExecutorService thread;

    public PeriodicTask(String name, Runnable task) {
        this.name = name;
        this.task = task;
        this.thread = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread daemon = new Thread(runnable, name);
            daemon.setDaemon(true);
            return daemon;
        });
    }

    public void every(Duration interval) {
        Future<?> unused = thread.scheduleWithFixedDelay(
                this::attempt, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void attempt() {
        try {
            task.run();
        } catch (RuntimeException | OutOfMemoryError failed) {
            LOG.errorf(failed, "failed and will be tried again: task=%s", name);
        }
    }

    /** Ends it, and waits for what it is at. */
    public void close(Duration timeout) {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warnf("still at work at the end: task=%s", name);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
