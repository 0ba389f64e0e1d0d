package io.meridian.simulation.nodes;

import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.kafka.SimKafka;
import io.meridian.simulation.kafka.SimKafka.SimTransaction;
import io.meridian.simulation.world.SimLink;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transactional writer of a sync replica: one transaction at a time, at each step of which the replica may crash or pause. */
public final class TransactionWriter {
    private static final long ANSWER_MICROS = 1_000_000;

    private final String name;
    private final String member;
    private final SimSchedule schedule;
    private final SimKafka kafka;
    private final SimLink link;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final Host host;
    private final List<Runnable> deferred = new ArrayList<>();
    private CrashPoint crash = CrashPoint.NONE;
    private boolean dies;
    private boolean writing;
    private long producerEpoch;
    private int attempt;

    /** Step of a transaction at which a replica may crash or pause. */
    public enum CrashPoint {
        NONE,
        BEFORE_ANYTHING_IS_WRITTEN,
        BEFORE_THE_COMMIT,
        BEFORE_THE_ANSWER
    }

    /** Replica that writes. */
    interface Host {
        /** Runs a task when the replica is running. */
        void deliver(Runnable task);

        long generation();

        void stop(boolean forGood);
    }

    public TransactionWriter(
            String name,
            String member,
            SimSchedule schedule,
            SimKafka kafka,
            SimLink link,
            SplittableRandom random,
            Mutation mutation,
            Host host) {
        this.name = name;
        this.member = member;
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.random = random;
        this.mutation = mutation;
        this.host = host;
    }

    boolean isWriting() {
        return writing;
    }

    public void crashAt(CrashPoint point, boolean forGood) {
        crash = point;
        dies = forGood;
    }

    /** Runs a task after the current transaction, because a replica's single thread handles group messages between transactions. */
    void defer(Runnable task) {
        if (writing) {
            deferred.add(task);
        } else {
            task.run();
        }
    }

    void write(List<PartitionBatch> statements, Consumer<TransactionOutcome> then) {
        List<PartitionBatch> all = mutation == Mutation.FLAPPING_FLAG
                ? statements.stream().map(this::flapping).toList()
                : statements;
        writing = true;
        int own = ++attempt;
        Consumer<TransactionOutcome> once = outcome -> {
            if (own == attempt && writing) {
                writing = false;
                producerEpoch = outcome == TransactionOutcome.COMMITTED ? producerEpoch : 0;
                then.accept(outcome);
                List<Runnable> tasks = new ArrayList<>(deferred);
                deferred.clear();
                tasks.forEach(Runnable::run);
            }
        };
        schedule.after(ANSWER_MICROS, () -> host.deliver(() -> once.accept(TransactionOutcome.FAILED)));
        if (stopsAt(CrashPoint.BEFORE_ANYTHING_IS_WRITTEN)) {
            host.deliver(() -> open(own, all, once));
        } else {
            open(own, all, once);
        }
    }

    private void open(int own, List<PartitionBatch> all, Consumer<TransactionOutcome> once) {
        if (producerEpoch > 0) {
            begin(own, all, once);
            return;
        }
        ask(() -> kafka.init(name), epoch -> {
            if (own == attempt && writing) {
                producerEpoch = epoch;
                begin(own, all, once);
            }
        });
    }

    /** Mutation of verdicts that clears some flags. */
    private PartitionBatch flapping(PartitionBatch statement) {
        return new PartitionBatch(
                statement.partition(),
                statement.usagePosition(),
                statement.beat(),
                statement.floors(),
                statement.verdicts().stream()
                        .map(each -> random.nextBoolean() ? each : unblocked(each))
                        .toList());
    }

    private static VerdictRecord unblocked(VerdictRecord statement) {
        return new VerdictRecord(
                statement.limit(),
                statement.incarnation(),
                statement.epoch(),
                statement.sequence(),
                statement.rule(),
                statement.usedElsewhere(),
                false,
                statement.granted(),
                statement.keep(),
                statement.echoMicros(),
                statement.ratePerSecond());
    }

    private void begin(int own, List<PartitionBatch> all, Consumer<TransactionOutcome> once) {
        long epoch = producerEpoch;
        long ofGeneration = host.generation();
        ask(() -> new Begun(kafka.begin(name, epoch, member, ofGeneration, all)), begun -> {
            if (begun.transaction == null) {
                once.accept(TransactionOutcome.REFUSED);
            } else if (own == attempt && writing) {
                boolean stopped = stopsAt(CrashPoint.BEFORE_THE_COMMIT);
                Runnable commit = () -> commit(own, begun.transaction, once);
                if (stopped) {
                    host.deliver(commit);
                } else {
                    commit.run();
                }
            }
        });
    }

    private record Begun(@Nullable SimTransaction transaction) {}

    private void commit(int own, SimTransaction transaction, Consumer<TransactionOutcome> once) {
        if (own != attempt || !writing) {
            return;
        }
        ask(() -> kafka.commit(transaction), once);
        boolean unused = stopsAt(CrashPoint.BEFORE_THE_ANSWER);
    }

    /** Calls Kafka, and handles the answer if it arrives. */
    private <T> void ask(Supplier<T> question, Consumer<T> then) {
        link.to(() -> {
            if (kafka.isUp()) {
                T answer = question.get();
                link.from(() -> host.deliver(() -> then.accept(answer)));
            }
        });
    }

    private boolean stopsAt(CrashPoint point) {
        if (crash != point) {
            return false;
        }
        crash = CrashPoint.NONE;
        host.stop(dies);
        return true;
    }
}
