package io.meridian.sync.leader;

import io.meridian.sync.aggregate.Overshoot;
import io.meridian.sync.aggregate.PartitionAggregate;
import io.meridian.sync.ops.SyncMetrics;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** State of a replica that outlives its Kafka clients: all partitions, and the overshoots found last. */
public final class ReplicaState {
    private final List<PartitionState> partitions;
    private final OvershootLog overshoots;

    public ReplicaState(int partitions, Supplier<? extends PartitionAggregate> aggregates, SyncMetrics metrics) {
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(number -> new PartitionState(number, aggregates.get()))
                .toList();
        this.overshoots = new OvershootLog(metrics);
    }

    public List<PartitionState> partitions() {
        return partitions;
    }

    public PartitionState partition(int number) {
        return partitions.get(number);
    }

    public Stream<PartitionState> led() {
        return partitions.stream().filter(each -> each.role() == PartitionState.Role.LEADER);
    }

    public List<Overshoot> latestOvershoots() {
        return overshoots.latest();
    }

    OvershootLog overshoots() {
        return overshoots;
    }
}
