package io.meridian.sync.kafka;

import io.meridian.sync.leader.ReplicaStatus;
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

/** Thread of a replica: it makes it go on for ever, and after any failure with new clients. */
public final class ReplicaRunner implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ReplicaRunner.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);
    private static final int TASKS_MAX = 16;

    private final Supplier<KafkaReplica> replicas;
    private final Thread thread = new Thread(this::run, "sync");
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BlockingQueue<Consumer<KafkaReplica>> tasks = new ArrayBlockingQueue<>(TASKS_MAX);
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;
    private String loggedReason = "";

    public ReplicaRunner(Supplier<KafkaReplica> replicas) {
        this.replicas = replicas;
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs a task between two steps, since only this thread may touch a replica's state. False if it is busy. */
    public boolean offer(Consumer<KafkaReplica> task) {
        return tasks.offer(task);
    }

    /** The last status; for any thread. */
    public ReplicaStatus status() {
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
                LOG.error("the replica starts again with new clients", unexpected);
                pause(String.valueOf(unexpected));
            }
        }
    }

    private void live(KafkaReplica replica) {
        try (replica) {
            while (isOpen()) {
                turn(replica);
            }
        } finally {
            status = replica.status();
        }
    }

    private void turn(KafkaReplica replica) {
        replica.step();
        @Nullable Consumer<KafkaReplica> task = tasks.poll();
        if (task != null) {
            task.accept(replica);
        }
        status = replica.status();
        loggedReason = "";
    }

    /** A reason that has not changed is logged once. */
    private void pause(String reason) {
        if (isOpen() && !loggedReason.equals(reason)) {
            loggedReason = reason;
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
