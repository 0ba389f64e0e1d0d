package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
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
    private final SyncThread thread;

    RunningReplica(Map<String, String> settings) {
        SyncConfig config = Actor.config(settings);
        Replicas replicas = new Replicas(
                config,
                new KafkaClients(Map.of(), config),
                FakeBook::new,
                (partition, partitions, limit) -> true,
                new RegionStats(TimeSource.system(), config, registry),
                new SyncMetrics(registry),
                TimeSource.system());
        thread = new SyncThread(() -> {
            attempts.incrementAndGet();
            return replicas.get();
        });
        thread.start();
    }

    double said() {
        return registry.get("meridian.sync.verdicts.said").counter().count();
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
                .filter(each -> each.role() == Role.LEADER)
                .count();
    }

    @Override
    public void close() {
        thread.close();
    }
}
