package io.meridian.sync.lead;

import io.meridian.service.kafka.KafkaLoop;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Thread of a replica: whatever fails, another replica with new clients goes on with what the one before it had read. */
final class SyncThread implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(7);
    private static final int TASKS_MAX = 16;

    private final BlockingQueue<Consumer<Replica>> tasks = new ArrayBlockingQueue<>(TASKS_MAX);
    private final KafkaLoop loop;
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;

    SyncThread(Supplier<Replica> replicas) {
        this.loop = new KafkaLoop(
                "sync",
                "this replica leads nothing, Kafka cannot be used",
                new KafkaLoop.Pauses(PAUSE, PAUSE),
                CLOSE_TIMEOUT,
                () -> new Steps(replicas.get()));
    }

    void start() {
        loop.start();
    }

    /** Has something done between two steps, since only this thread may touch what a replica knows. False if it is busy. */
    boolean offer(Consumer<Replica> task) {
        return tasks.offer(task);
    }

    /** What was last known; for any thread. */
    ReplicaStatus status() {
        return status;
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Steps implements KafkaLoop.Work {
        private final Replica replica;

        Steps(Replica replica) {
            this.replica = replica;
        }

        @Override
        public void step(KafkaLoop working) {
            replica.step();
            @Nullable Consumer<Replica> task = tasks.poll();
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
