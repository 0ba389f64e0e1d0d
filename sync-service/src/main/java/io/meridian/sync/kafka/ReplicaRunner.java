package io.meridian.sync.kafka;

import io.meridian.service.kafka.KafkaLoop;
import io.meridian.sync.leader.ReplicaStatus;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Thread of a replica. After any failure a new replica with new clients goes on from what the one before it had read. */
public final class ReplicaRunner implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);
    private static final int TASKS_MAX = 16;

    private final BlockingQueue<Consumer<KafkaReplica>> tasks = new ArrayBlockingQueue<>(TASKS_MAX);
    private final KafkaLoop loop;
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;

    public ReplicaRunner(Supplier<KafkaReplica> replicas) {
        this.loop = new KafkaLoop(
                "sync",
                "this replica leads nothing, Kafka cannot be used",
                new KafkaLoop.Pauses(PAUSE, PAUSE),
                CLOSE_TIMEOUT,
                () -> new Steps(replicas.get()));
    }

    public void start() {
        loop.start();
    }

    /** Runs a task between two steps, since only this thread may touch a replica's state. False if it is busy. */
    public boolean offer(Consumer<KafkaReplica> task) {
        return tasks.offer(task);
    }

    /** The last status; for any thread. */
    public ReplicaStatus status() {
        return status;
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Steps implements KafkaLoop.Work {
        private final KafkaReplica replica;

        Steps(KafkaReplica replica) {
            this.replica = replica;
        }

        @Override
        public void step(KafkaLoop working) {
            replica.step();
            @Nullable Consumer<KafkaReplica> task = tasks.poll();
            if (task != null) {
                task.accept(replica);
            }
            status = replica.status();
            working.succeeded();
        }

        @Override
        public void close() {
            try {
                replica.close();
            } finally {
                status = replica.status();
            }
        }
    }
}
