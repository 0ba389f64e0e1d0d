package io.meridian.service.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Daemon thread that works with clients of Kafka, step by step, until it is closed.
 *
 * <p>A failure ends the work and closes its clients; after a pause the work begins anew with new ones, so Kafka may be away at the start and for any time.
 * The pause doubles from the first to the longest with every failure in a row. A reason is logged when it is not the one that was logged last.
 */
public final class KafkaLoop implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(KafkaLoop.class);
    /** How long a thread that was interrupted may take to end. */
    private static final Duration INTERRUPTED_WITHIN = Duration.ofSeconds(1);

    private final String effect;
    private final Pauses pauses;
    private final Duration closeWithin;
    private final Supplier<? extends Work> work;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Work current;
    private Duration pause;
    private String logged = "";

    /**
     * @param name of the thread
     * @param effect what it means that the loop fails, as it is logged before the reason
     * @param closeWithin how long the last step may take before it is interrupted
     * @param work opened at the beginning and after every failure; may fail as Kafka's clients do
     */
    public KafkaLoop(String name, String effect, Pauses pauses, Duration closeWithin, Supplier<? extends Work> work) {
        this.effect = effect;
        this.pauses = pauses;
        this.closeWithin = closeWithin;
        this.work = work;
        this.pause = pauses.first();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Something that is done once in an interval, counted from the end of one time to the beginning of the next, and a last time at the end. */
    public static KafkaLoop every(Duration interval, String name, String effect, Duration closeWithin, Round round) {
        return new KafkaLoop(name, effect, Pauses.STANDARD, closeWithin, () -> new Work() {
            @Override
            public void step(KafkaLoop loop) throws InterruptedException {
                if (loop.await(interval)) {
                    last(loop);
                }
            }

            /** A round that fails is made up for by the next. */
            @Override
            public void last(KafkaLoop loop) throws InterruptedException {
                try {
                    round.run();
                    loop.succeeded();
                } catch (RuntimeException unexpected) {
                    loop.failed(unexpected.toString(), unexpected);
                }
            }
        });
    }

    /** Pauses between a failure and the next beginning. */
    public record Pauses(Duration first, Duration longest) {
        public static final Pauses STANDARD = new Pauses(Duration.ofMillis(100), Duration.ofSeconds(1));
    }

    /** One round of work that has no clients of its own. */
    public interface Round {
        void run() throws InterruptedException;
    }

    /** Work with a set of clients, on the thread of the loop; it ends with the first exception. */
    public interface Work extends AutoCloseable {
        void step(KafkaLoop loop) throws InterruptedException;

        /** Once after the last step of a loop that was closed. */
        default void last(KafkaLoop loop) throws InterruptedException {}

        /** Ends a step that waits for Kafka because the loop was closed; called by another thread. */
        default void wakeup() {}

        @Override
        default void close() {}
    }

    public void start() {
        thread.start();
    }

    public boolean isOpen() {
        return closed.getCount() > 0;
    }

    /** Waits for so long, or until the loop is closed; false if it is. */
    public boolean await(Duration duration) throws InterruptedException {
        return !closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The failures before count no more; for the thread of the loop, as the following ones. */
    public void succeeded() {
        pause = pauses.first();
        logged = "";
    }

    /** Logs why a step came to nothing, unless that is what was logged last. */
    public void failed(String reason) {
        failed(reason, null);
    }

    /** The same, and a pause; the work goes on with its clients. */
    public void retry(String reason) {
        failed(reason);
        pause();
    }

    private void run() {
        // Once at least: what is done last is also done if the loop was closed before the thread began.
        do {
            try (Work own = work.get()) {
                run(own);
            } catch (WakeupException | InterruptException | InterruptedException ending) {
                closed.countDown();
            } catch (KafkaException away) {
                retry(reason(away));
            } catch (RuntimeException unexpected) {
                failed(unexpected.toString(), unexpected);
                pause();
            }
        } while (isOpen());
    }

    private void run(Work own) throws InterruptedException {
        current = own;
        try {
            while (isOpen()) {
                own.step(this);
            }
            own.last(this);
        } finally {
            current = null;
        }
    }

    private void failed(String reason, @Nullable Throwable trace) {
        if (isOpen() && !logged.equals(reason)) {
            logged = reason;
            LOG.warn(effect + ": reason=" + reason, trace);
        }
    }

    private void pause() {
        try {
            boolean unused = await(pause);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(pauses.longest()) < 0 ? doubled : pauses.longest();
    }

    /** Kafka wraps what a client could not be made for. */
    private static String reason(KafkaException away) {
        Throwable cause = away.getCause() == null ? away : away.getCause();
        return cause.toString();
    }

    /** Returns when the thread has ended, or when it did not end in time though it was interrupted. */
    @Override
    public void close() {
        closed.countDown();
        Work ending = current;
        if (ending != null) {
            ending.wakeup();
        }
        try {
            thread.join(Math.max(1, closeWithin.toMillis()));
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(INTERRUPTED_WITHIN.toMillis());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
