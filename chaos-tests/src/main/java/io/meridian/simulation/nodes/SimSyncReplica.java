package io.meridian.simulation.nodes;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.kafka.SimFetch;
import io.meridian.simulation.kafka.SimGroup;
import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.kafka.SimKafka.VerdictLog;
import io.meridian.simulation.world.SimClock;
import io.meridian.simulation.world.SimLink;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.leader.LogPort;
import io.meridian.sync.leader.LogPort.End;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.leader.ReplicaCore;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Sync replica: production's leader core, wired to simulated Kafka. */
public final class SimSyncReplica implements LogPort, TransactionWriter.Host {
    private static final long STEP_MICROS = 25_000;
    private static final long HEARTBEAT_MICROS =
            SimSettings.micros(SimSettings.sync("any").heartbeat());
    private static final long ANSWER_MICROS = 1_000_000;
    /** Floors are announced one window ahead, so that those of a new incarnation begin within the history. */
    private static final AggregatorRules RULES = new AggregatorRules(
            1_000_000, 1_000_000, 3_600_000_000L, SimSettings.sync("any").regionsMax(), 5_000_000, SimSettings.SECRET);

    public final String name;
    public final SimClock clock;
    public final SimLink link;
    private final SimSchedule schedule;
    private final SimKafka kafka;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final ReplicaCore core;
    private final TransactionWriter writer;
    private final GroupMember membership;
    private final TopicReader reading;
    private final SimFetch fetch;
    private final List<Runnable> inbox = new ArrayList<>();
    private boolean paused;
    private boolean dead;

    public SimSyncReplica(
            String name,
            int start,
            SimSchedule schedule,
            SimKafka kafka,
            SimLink link,
            SimClock clock,
            SplittableRandom random,
            Mutation mutation) {
        this.name = name;
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.clock = clock;
        this.random = random;
        this.mutation = mutation;
        String member = name + "#" + start;
        writer = new TransactionWriter(name, member, schedule, kafka, link, random, mutation, this);
        core = new ReplicaCore(
                SimSettings.sync(name),
                RULES,
                SimKafka.PARTITIONS,
                this,
                SimSettings.regions(),
                SimSettings.syncMetrics(),
                clock);
        membership = new GroupMember(member, kafka, link, core, writer, this);
        reading = new TopicReader(kafka, mutation, core);
        fetch = new SimFetch(schedule, kafka, link, reading::found, this::deliver);
        schedule.after(random.nextLong(STEP_MICROS), this::step);
        schedule.after(random.nextLong(HEARTBEAT_MICROS), this::heartbeat);
    }

    public boolean isDead() {
        return dead;
    }

    public boolean isPaused() {
        return paused;
    }

    public boolean leads(int partition) {
        return !dead && core.leads(partition);
    }

    /** Kills it, as a power failure does. */
    public void kill() {
        dead = true;
        inbox.clear();
    }

    /** Stops it in order: it leaves the group first. */
    public void leave() {
        if (!dead) {
            membership.leave();
            kill();
        }
    }

    public void pause() {
        paused = true;
    }

    public void resume() {
        paused = false;
        List<Runnable> waiting = new ArrayList<>(inbox);
        inbox.clear();
        waiting.forEach(each -> schedule.after(random.nextLong(1_000), () -> deliver(each)));
    }

    /** Makes it crash or pause at this step of its next transaction. */
    public void crashAt(TransactionWriter.CrashPoint point, boolean forGood) {
        writer.crashAt(point, forGood);
    }

    @Override
    public long generation() {
        return membership.generation();
    }

    @Override
    public void stop(boolean forGood) {
        if (forGood) {
            kill();
        } else {
            pause();
        }
    }

    @Override
    public void deliver(Runnable task) {
        if (dead) {
            return;
        }
        if (paused) {
            inbox.add(task);
        } else {
            task.run();
        }
    }

    private void step() {
        if (dead) {
            return;
        }
        schedule.after(STEP_MICROS, this::step);
        if (paused || writer.isWriting()) {
            return;
        }
        fetch.poll();
        core.step();
        if (!membership.hasJoined() && reading.isLive()) {
            membership.join();
        }
    }

    private void heartbeat() {
        if (dead) {
            return;
        }
        schedule.after(HEARTBEAT_MICROS, this::heartbeat);
        if (!paused) {
            membership.beat();
        }
    }

    @Override
    public boolean isSettled(Set<Integer> partitions) {
        return kafka.isUp() && !link.isCut() && kafka.isSettled(partitions);
    }

    @Override
    public CompletableFuture<Map<Integer, End>> ends(Set<Integer> partitions) {
        CompletableFuture<Map<Integer, End>> answer = new CompletableFuture<>();
        if (mutation == Mutation.NO_CATCH_UP) {
            answer.complete(partitions.stream().collect(Collectors.toMap(each -> each, each -> new End(0, 0))));
            return answer;
        }
        link.to(() -> {
            if (kafka.isUp()) {
                Map<Integer, End> ends = kafka.ends(partitions);
                link.from(() -> deliver(() -> answer.complete(ends)));
            }
        });
        schedule.after(
                ANSWER_MICROS,
                () -> deliver(() -> {
                    boolean unused = answer.completeExceptionally(new IllegalStateException("no answer"));
                }));
        return answer;
    }

    @Override
    public void publish(List<PartitionBatch> all, Consumer<TransactionOutcome> then) {
        writer.write(all, then);
    }

    /** Membership of a replica in the consumer group, and its assigned partitions. */
    private static final class GroupMember {
        private final String member;
        private final SimKafka kafka;
        private final SimLink link;
        private final ReplicaCore core;
        private final TransactionWriter writer;
        private final TransactionWriter.Host host;
        private final Set<Integer> assigned = new TreeSet<>();
        private boolean joined;
        private long generation;

        GroupMember(
                String member,
                SimKafka kafka,
                SimLink link,
                ReplicaCore core,
                TransactionWriter writer,
                TransactionWriter.Host host) {
            this.member = member;
            this.kafka = kafka;
            this.link = link;
            this.core = core;
            this.writer = writer;
            this.host = host;
        }

        /** Whether it has sent a request to join. */
        boolean hasJoined() {
            return joined;
        }

        long generation() {
            return generation;
        }

        /** Sends a heartbeat, and joins again if the group rebalances. */
        void beat() {
            if (!joined) {
                return;
            }
            long ofGeneration = generation;
            link.to(() -> {
                if (kafka.isUp()) {
                    SimGroup.Beat answer = kafka.group().beat(member, ofGeneration);
                    link.from(() -> host.deliver(() -> writer.defer(() -> {
                        if (answer != SimGroup.Beat.FINE && ofGeneration == generation) {
                            join();
                        }
                    })));
                }
            });
        }

        void join() {
            joined = true;
            assigned.forEach(core::lost);
            assigned.clear();
            link.to(() -> {
                if (kafka.isUp()) {
                    kafka.group()
                            .join(
                                    member,
                                    given -> link.from(() -> host.deliver(() -> writer.defer(() -> take(given)))));
                }
            });
        }

        private void take(SimGroup.Assigned given) {
            if (given.generation() > generation) {
                generation = given.generation();
                assigned.forEach(core::lost);
                assigned.clear();
                assigned.addAll(given.partitions());
                assigned.forEach(core::assigned);
            }
        }

        void leave() {
            link.to(() -> {
                if (kafka.isUp()) {
                    kafka.group().leave(member);
                }
            });
        }
    }

    /** Reader of both topics, for a leader or a standby: all usage and all verdicts. */
    private static final class TopicReader {
        private final SimKafka kafka;
        private final Mutation mutation;
        private final ReplicaCore core;
        private final Map<Integer, End> firstEnds;
        private final Set<Set<Object>> believed = new HashSet<>();

        TopicReader(SimKafka kafka, Mutation mutation, ReplicaCore core) {
            this.kafka = kafka;
            this.mutation = mutation;
            this.core = core;
            firstEnds = kafka.ends();
        }

        /** Whether it has read everything that was in the topics at its start. */
        boolean isLive() {
            return firstEnds.entrySet().stream()
                    .allMatch(end ->
                            core.usagePosition(end.getKey()) >= end.getValue().usage()
                                    && core.verdictsPosition(end.getKey())
                                            >= end.getValue().verdicts());
        }

        /** The available records, as their effects on the reader; records that it has read meanwhile have none. */
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
            return mutation != Mutation.NO_MAX_MERGE || believed.add(Set.of(limit, life));
        }
    }
}
