package io.meridian.sync.leader;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Makes a replica go on for ever, on a thread of its own: whatever fails begins anew with new clients. */
final class SyncThread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SyncThread.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);
    private static final int TASKS_MAX = 16;

    private final Supplier<Replica> replicas;
    private final Thread thread = new Thread(this::run, "sync");
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BlockingQueue<Consumer<Replica>> tasks = new ArrayBlockingQueue<>(TASKS_MAX);
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;
    private String told = "";

    SyncThread(Supplier<Replica> replicas) {
        this.replicas = replicas;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Has something done between two turns, since only this thread may touch what a replica knows. False if it is busy. */
    boolean offer(Consumer<Replica> task) {
        return tasks.offer(task);
    }

    /** What was last known; for any thread. */
    ReplicaStatus status() {
        return status;
    }

    private void run() {
        while (isOpen()) {
            try {
                live(replicas.get());
            } catch (InterruptException ending) {
                closed.countDown();
            } catch (KafkaException away) {
                pause(String.valueOf(away.getMessage()));
            } catch (RuntimeException unexpected) {
                LOG.error("the replica begins anew", unexpected);
                pause(String.valueOf(unexpected));
            }
        }
    }

    private void live(Replica replica) {
        try (replica) {
            while (isOpen()) {
                turn(replica);
            }
        } finally {
            status = replica.status();
        }
    }

    private void turn(Replica replica) {
        replica.step();
        @Nullable Consumer<Replica> task = tasks.poll();
        if (task != null) {
            task.accept(replica);
        }
        status = replica.status();
        told = "";
    }

    /** What has not changed is told once. */
    private void pause(String reason) {
        if (isOpen() && !told.equals(reason)) {
            told = reason;
            LOG.warnf("this replica leads nothing, Kafka cannot be used: reason=%s", reason);
        }
        try {
            boolean unused = closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
