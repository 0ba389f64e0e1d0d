package io.meridian.chaos.sim;

import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.leader.LogPort.End;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import io.meridian.sync.leader.LogPort;
import io.meridian.sync.leader.ReplicaCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A sync replica: production's rules of leading, with Kafka at the other end of a link. */
final class SimReplica implements LogPort, SimSpeaker.Host {
    private static final long STEP_MICROS = 25_000;
    private static final long HEARTBEAT_MICROS =
            SimSettings.micros(SimSettings.sync("any").heartbeat());
    private static final long ANSWER_MICROS = 1_000_000;
    /** Floors are promised a window ahead, so that those of a new incarnation begin within the history. */
    private static final AggregatorRules RULES = new AggregatorRules(
            1_000_000, 1_000_000, 3_600_000_000L, SimSettings.sync("any").regionsMax(), 5_000_000, SimSettings.SECRET);

    final String name;
    final SimClock clock;
    final Link link;
    private final Schedule schedule;
    private final SimKafka kafka;
    private final SplittableRandom random;
    private final Broken broken;
    private final ReplicaCore core;
    private final SimSpeaker speaker;
    private final SimMembership membership;
    private final SimReading reading;
    private final SimFetch fetch;
    private final List<Runnable> inbox = new ArrayList<>();
    private boolean paused;
    private boolean dead;

    SimReplica(
            String name,
            int start,
            Schedule schedule,
            SimKafka kafka,
            Link link,
            SimClock clock,
            SplittableRandom random,
            Broken broken) {
        this.name = name;
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.clock = clock;
        this.random = random;
        this.broken = broken;
        String member = name + "#" + start;
        speaker = new SimSpeaker(name, member, schedule, kafka, link, random, broken, this);
        core = new ReplicaCore(
                SimSettings.sync(name),
                RULES,
                SimKafka.PARTITIONS,
                this,
                SimSettings.regions(),
                SimSettings.syncMetrics(),
                clock);
        membership = new SimMembership(member, kafka, link, core, speaker, this);
        reading = new SimReading(kafka, broken, core);
        fetch = new SimFetch(schedule, kafka, link, reading::found, this::deliver);
        schedule.after(random.nextLong(STEP_MICROS), this::step);
        schedule.after(random.nextLong(HEARTBEAT_MICROS), this::heartbeat);
    }

    boolean isDead() {
        return dead;
    }

    boolean isPaused() {
        return paused;
    }

    boolean leads(int partition) {
        return !dead && core.leads(partition);
    }

    /** As if its machine lost power. */
    void kill() {
        dead = true;
        inbox.clear();
    }

    /** Leaves the group first, as one does that is stopped. */
    void leave() {
        if (!dead) {
            membership.leave();
            kill();
        }
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        List<Runnable> waiting = new ArrayList<>(inbox);
        inbox.clear();
        waiting.forEach(each -> schedule.after(random.nextLong(1_000), () -> deliver(each)));
    }

    /** Has it die, or stand still, at this point of its next transaction. */
    void crashAt(SimSpeaker.CrashPoint point, boolean forGood) {
        speaker.crashAt(point, forGood);
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
        if (paused || speaker.isSpeaking()) {
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
        if (broken == Broken.NO_READING_TO_THE_END) {
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
        speaker.say(all, then);
    }
}
