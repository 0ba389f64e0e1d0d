package io.meridian.sync.kafka;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A replica as production runs it, on its own thread. */
final class RunningReplica implements AutoCloseable {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger attempts = new AtomicInteger();
    private final ReplicaRunner thread;

    RunningReplica(Map<String, String> settings) {
        SyncConfig config = Actor.config(settings);
        KafkaReplica.Factory replicas = new KafkaReplica.Factory(
                config,
                Map.of(),
                FakeAggregate::new,
                (partition, partitions, limit) -> true,
                new RegionStats(TimeSource.system(), config, registry),
                new SyncMetrics(registry),
                TimeSource.system(),
                true);
        thread = new ReplicaRunner(() -> {
            attempts.incrementAndGet();
            return replicas.get();
        });
        thread.start();
    }

    double published() {
        return registry.get("meridian.sync.verdicts.published").counter().count();
    }

    double failed() {
        return registry.get("meridian.sync.transactions")
                .tag("outcome", "failed")
                .counter()
                .count();
    }

    int attempts() {
        return attempts.get();
    }

    long leads() {
        return thread.status().partitions().stream()
                .filter(each -> each.role() == PartitionState.Role.LEADER)
                .count();
    }

    @Override
    public void close() {
        thread.close();
    }
}
