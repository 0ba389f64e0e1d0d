package io.meridian.chaos.sim;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.leader.LogPort.End;
import io.meridian.sync.leader.ReplicaCore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a replica reads, whether it leads or not: all that is reported, and all that is said. */
final class SimReading {
    private final SimKafka kafka;
    private final Broken broken;
    private final ReplicaCore core;
    private final Map<Integer, End> firstEnds;
    private final Set<Set<Object>> believed = new HashSet<>();

    SimReading(SimKafka kafka, Broken broken, ReplicaCore core) {
        this.kafka = kafka;
        this.broken = broken;
        this.core = core;
        firstEnds = kafka.ends();
    }

    /** Whether it has read all that there was when it began. */
    boolean isLive() {
        return firstEnds.entrySet().stream()
                .allMatch(end -> core.usagePosition(end.getKey())
                                >= end.getValue().usage()
                        && core.verdictsPosition(end.getKey()) >= end.getValue().verdicts());
    }

    /** What there is to read by now, as what it does to the reader. What it has read meanwhile changes nothing any more. */
    List<Runnable> found() {
        List<Runnable> batch = new ArrayList<>();
        for (int p = 0; p < SimKafka.PARTITIONS; p++) {
            int partition = p;
            for (long i = core.usagePosition(p); i < kafka.usage(p).size(); i++) {
                long next = i + 1;
                SimKafka.UsageEntry entry = kafka.usage(p).get((int) i);
                batch.add(() -> {
                    if (core.usagePosition(partition) == next - 1) {
                        read(partition, entry, next);
                    }
                });
            }
            VerdictLog log = kafka.verdicts(p);
            long stable = log.stable(core.verdictsPosition(p));
            for (long i = core.verdictsPosition(p); i < stable; i++) {
                long next = i + 1;
                VerdictLog.Entry entry = log.get(i);
                batch.add(() -> {
                    if (core.verdictsPosition(partition) == next - 1) {
                        take(partition, entry, next);
                    }
                });
            }
        }
        return batch;
    }

    private void read(int partition, SimKafka.UsageEntry entry, long next) {
        long arrivedMicros = isLive() ? Aggregator.JUST_NOW : entry.appendedMicros();
        if (entry.usage() != null) {
            core.applyUsage(partition, entry.usage(), arrivedMicros, next);
        } else if (entry.announcement() != null) {
            core.applyAnnouncement(partition, entry.announcement(), arrivedMicros, next);
        }
    }

    private void take(int partition, VerdictLog.Entry entry, long next) {
        VerdictRecord verdict = entry.verdict();
        if (entry.marker() || !entry.transaction().committed) {
            core.skipTo(partition, next);
        } else if (entry.beat() != null) {
            core.applyBeat(partition, entry.beat(), next);
        } else if (entry.floor() != null) {
            core.applyFloor(partition, entry.floor(), next);
        } else if (verdict != null && isBelieved(verdict.limit(), verdict.incarnation())) {
            core.applyVerdict(partition, verdict, next);
        } else {
            core.skipTo(partition, next);
        }
    }

    private boolean isBelieved(LimitWindow limit, RegionIncarnation life) {
        return broken != Broken.NO_MAX_MERGE || believed.add(Set.of(limit, life));
    }
}
