package io.meridian.sync.leader;

import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.leader.ReplicaStatus.PartitionStatus;
import io.meridian.sync.ops.SyncMetrics;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** One replica with its clients of Kafka, made to go on step by step by one thread. */
final class Replica implements AutoCloseable {
    /** A turn ends after so long though nothing is heard: the place in the group has to be kept, and ticks fall due. */
    private static final Duration READ_WAIT = Duration.ofMillis(10);

    private static final Duration ADMIN_CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final Reader reader;
    private final Membership membership;
    private final Admin admin;
    private final Leading leading;
    private final Speaker speaker;
    private final Ticker ticker;
    private final Memory memory;
    private final Overshoots overshoots;
    private final SyncMetrics metrics;
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;

    Replica(
            Reader reader,
            Membership membership,
            Admin admin,
            Leading leading,
            Speaker speaker,
            Ticker ticker,
            Memory memory,
            Overshoots overshoots,
            SyncMetrics metrics) {
        this.reader = reader;
        this.membership = membership;
        this.admin = admin;
        this.leading = leading;
        this.speaker = speaker;
        this.ticker = ticker;
        this.memory = memory;
        this.overshoots = overshoots;
        this.metrics = metrics;
    }

    /** One turn. A replica joins the group only when it has read everything once: until then others lead better. */
    void step() {
        reader.read(READ_WAIT);
        if (reader.isLive() && !membership.hasJoined()) {
            var unused = speaker.open();
            membership.join();
        }
        membership.keep();
        if (leading.step()) {
            look();
        }
    }

    List<Partition> partitions() {
        return memory.partitions();
    }

    Ticker ticker() {
        return ticker;
    }

    Speaker speaker() {
        return speaker;
    }

    /** As of a moment ago; for any thread. */
    ReplicaStatus status() {
        return status;
    }

    /** Escrow accounts of led partitions that cannot be, so many of each. */
    List<Anomaly> anomalies(int max) {
        return led().flatMap(each -> each.book().anomalies(max).stream()).toList();
    }

    private void look() {
        List<PartitionStatus> partitions = memory.partitions().stream()
                .map(each -> new PartitionStatus(
                        each.number(), each.beat(), each.role(), each.book().size(), reader.lag(each.number())))
                .toList();
        status = new ReplicaStatus(partitions, overshoots.latest(), membership.isPlaced());
        metrics.known(
                partitions.stream().mapToLong(PartitionStatus::limits).sum(),
                partitions.stream().mapToLong(PartitionStatus::lag).sum());
        metrics.leads(Math.toIntExact(led().count()));
        metrics.granted(led().map(each -> each.book().grants()).reduce(GrantTotals.NONE, GrantTotals::plus));
    }

    private Stream<Partition> led() {
        return memory.partitions().stream().filter(each -> each.role() == Role.LEADER);
    }

    /** The place first, so that others need not wait. */
    @Override
    public void close() {
        memory.partitions().forEach(Partition::lost);
        metrics.leads(0);
        metrics.granted(GrantTotals.NONE);
        status = status.ended();
        try (speaker;
                reader) {
            membership.close();
        } finally {
            admin.close(ADMIN_CLOSE_TIMEOUT);
        }
    }
}
