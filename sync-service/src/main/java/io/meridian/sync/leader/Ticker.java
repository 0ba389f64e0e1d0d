package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.leader.LogPort.TransactionOutcome;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows when leaders speak and what of: soon after something new was heard, and every so often anyway. */
final class Ticker {
    private final SyncConfig config;
    private final TopicPair topics;
    private final Memory memory;
    private final Voice voice;
    private final RegionStats regions;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private long tickNanos;

    Ticker(
            SyncConfig config,
            TopicPair topics,
            Memory memory,
            Voice voice,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this.config = config;
        this.topics = topics;
        this.memory = memory;
        this.voice = voice;
        this.regions = regions;
        this.metrics = metrics;
        this.time = time;
        this.tickNanos = time.monotonicNanos();
    }

    boolean isDue() {
        long elapsed = time.monotonicNanos() - tickNanos;
        return elapsed >= config.tick().toNanos()
                || (elapsed >= config.tickMin().toNanos() && isAnythingNew());
    }

    private boolean isAnythingNew() {
        return memory.partitions().stream()
                .anyMatch(each -> each.role() == Role.LEADER && each.arrivals().isFresh());
    }

    /** Says what is due of all partitions that are led. Who could not has to take over anew. */
    void tick() {
        List<Statement> statements = due();
        if (statements.isEmpty()) {
            tickNanos = time.monotonicNanos();
            return;
        }
        long beganNanos = time.monotonicNanos();
        voice.say(statements, outcome -> {
            said(statements, outcome, time.monotonicNanos() - beganNanos);
            // From the end, because Kafka still closes a transaction for a moment after it confirmed it.
            tickNanos = time.monotonicNanos();
        });
    }

    private void said(List<Statement> statements, TransactionOutcome outcome, long tookNanos) {
        metrics.transaction(
                outcome,
                tookNanos,
                statements.stream()
                        .mapToInt(each -> each.tick().verdicts().size())
                        .sum());
        switch (outcome) {
            case COMMITTED -> statements.forEach(this::committed);
            case REFUSED, FAILED -> memory.partitions().forEach(Partition::doubted);
        }
    }

    List<Statement> due() {
        List<Statement> due = new ArrayList<>();
        for (Partition partition : memory.partitions()) {
            if (partition.place() instanceof Place.Leader leader) {
                partition.arrivals().looked();
                Statement statement = statement(partition, leader.epoch());
                if (!statement.isEmpty()) {
                    due.add(statement);
                }
                if (statement.tick().isEmpty()) {
                    // Nothing is to be said of it, so nothing has to be committed first.
                    statement.tick().committed();
                    partition.arrivals().clear();
                }
            }
        }
        return due;
    }

    private Statement statement(Partition partition, long epoch) {
        long nowMicros = time.wallMicros();
        Aggregator.Tick tick = partition.book().tick(nowMicros, config.limitsPerTick());
        @Nullable LeaderBeat beat =
                partition.isBeatDue(time.monotonicNanos(), config.beat().toNanos())
                        ? new LeaderBeat(epoch, config.replica(), nowMicros)
                        : null;
        return new Statement(partition, memory.position(topics.usage(partition.number())), tick, beat);
    }

    private void committed(Statement statement) {
        if (!statement.tick().isEmpty()) {
            statement.tick().committed();
        }
        Partition partition = statement.partition();
        if (statement.beat() != null) {
            partition.beatSaid(time.monotonicNanos());
        }
        long nowMicros = time.wallMicros();
        partition.arrivals().take().forEach(each -> regions.answered(each.region(), nowMicros - each.appendedMicros()));
    }
}
