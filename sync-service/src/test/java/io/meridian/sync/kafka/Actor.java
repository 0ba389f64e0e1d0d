package io.meridian.sync.kafka;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.PartitionAggregate;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.TimeoutException;

/** A replica that goes on when the test says so. */
final class Actor implements AutoCloseable {
    private static final int CONVERTER_PRIORITY = 200;
    private static final int ATTEMPTS = 20;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<FakeAggregate> aggregates = new ArrayList<>();
    private final RegionStats regions;
    private final KafkaReplica.Factory replicas;
    private final KafkaReplica replica;

    Actor(Map<String, String> settings, boolean fenced) {
        SyncConfig config = config(settings);
        regions = new RegionStats(TimeSource.system(), config, registry);
        replicas = new KafkaReplica.Factory(
                config,
                Map.of(),
                this::aggregate,
                (partition, partitions, limit) -> true,
                regions,
                new SyncMetrics(registry),
                TimeSource.system(),
                fenced);
        replica = made();
    }

    /** A busy Kafka may not answer in time; then it is tried again, as the service does. */
    private KafkaReplica made() {
        for (int attempt = 1; ; attempt++) {
            try {
                return replicas.get();
            } catch (TimeoutException late) {
                if (attempt == ATTEMPTS) {
                    throw late;
                }
            }
        }
    }

    static SyncConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withConverter(Duration.class, CONVERTER_PRIORITY, new DurationConverter())
                .withMapping(SyncConfig.class)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(SyncConfig.class);
    }

    private PartitionAggregate aggregate() {
        FakeAggregate aggregate = new FakeAggregate();
        aggregates.add(aggregate);
        return aggregate;
    }

    void step() {
        replica.step();
    }

    KafkaReplica replica() {
        return replica;
    }

    RegionStats regions() {
        return regions;
    }

    List<FakeAggregate> aggregates() {
        return aggregates;
    }

    /** The partitions at which it has this role. */
    List<Integer> at(PartitionState.Role role) {
        return replica.state().partitions().stream()
                .filter(each -> each.role() == role)
                .map(PartitionState::number)
                .toList();
    }

    double count(String counter, String... tags) {
        return registry.get(counter).tags(tags).counter().count();
    }

    @Override
    public void close() {
        replica.close();
    }
}
