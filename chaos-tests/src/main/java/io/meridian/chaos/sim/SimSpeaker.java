package io.meridian.chaos.sim;

import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a replica says something: in transactions, one at a time, at each point of which it may stop. */
final class SimSpeaker {
    private static final long ANSWER_MICROS = 1_000_000;

    private final String name;
    private final String member;
    private final Schedule schedule;
    private final SimKafka kafka;
    private final Link link;
    private final SplittableRandom random;
    private final Broken broken;
    private final Host host;
    private final List<Runnable> afterSpeech = new ArrayList<>();
    private CrashPoint crash = CrashPoint.NONE;
    private boolean dies;
    private boolean speaking;
    private long producerEpoch;
    private int attempt;

    /** Where a replica may stop, for good or for a while. */
    enum CrashPoint {
        NONE,
        BEFORE_ANYTHING_IS_WRITTEN,
        BEFORE_THE_COMMIT,
        BEFORE_THE_ANSWER
    }

    /** Whose voice it is. */
    interface Host {
        /** Has something done when the replica is there to do it. */
        void deliver(Runnable task);

        long generation();

        void stop(boolean forGood);
    }

    SimSpeaker(
            String name,
            String member,
            Schedule schedule,
            SimKafka kafka,
            Link link,
            SplittableRandom random,
            Broken broken,
            Host host) {
        this.name = name;
        this.member = member;
        this.schedule = schedule;
        this.kafka = kafka;
        this.link = link;
        this.random = random;
        this.broken = broken;
        this.host = host;
    }

    boolean isSpeaking() {
        return speaking;
    }

    void crashAt(CrashPoint point, boolean forGood) {
        crash = point;
        dies = forGood;
    }

    /** One thread does all of it: what the group says is heard when nothing is being said. */
    void afterwards(Runnable task) {
        if (speaking) {
            afterSpeech.add(task);
        } else {
            task.run();
        }
    }

    void say(List<PartitionBatch> statements, Consumer<TransactionOutcome> then) {
        List<PartitionBatch> all = broken == Broken.NO_MONOTONE_FLAG
                ? statements.stream().map(this::flapping).toList()
                : statements;
        speaking = true;
        int own = ++attempt;
        Consumer<TransactionOutcome> once = outcome -> {
            if (own == attempt && speaking) {
                speaking = false;
                producerEpoch = outcome == TransactionOutcome.COMMITTED ? producerEpoch : 0;
                then.accept(outcome);
                List<Runnable> heard = new ArrayList<>(afterSpeech);
                afterSpeech.clear();
                heard.forEach(Runnable::run);
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
            if (own == attempt && speaking) {
                producerEpoch = epoch;
                begin(own, all, once);
            }
        });
    }

    /** Of a broken leader: some flags are not set any more. */
    private PartitionBatch flapping(PartitionBatch said) {
        return new PartitionBatch(
                said.partition(),
                said.usagePosition(),
                said.beat(),
                said.floors(),
                said.verdicts().stream()
                        .map(each -> random.nextBoolean() ? each : unblocked(each))
                        .toList());
    }

    private static VerdictRecord unblocked(VerdictRecord said) {
        return new VerdictRecord(
                said.limit(),
                said.incarnation(),
                said.epoch(),
                said.sequence(),
                said.rule(),
                said.usedElsewhere(),
                false,
                said.granted(),
                said.keep(),
                said.echoMicros(),
                said.ratePerSecond());
    }

    private void begin(int own, List<PartitionBatch> all, Consumer<TransactionOutcome> once) {
        long epoch = producerEpoch;
        long ofGeneration = host.generation();
        ask(() -> new Begun(kafka.begin(name, epoch, member, ofGeneration, all)), begun -> {
            if (begun.transaction == null) {
                once.accept(TransactionOutcome.REFUSED);
            } else if (own == attempt && speaking) {
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

    private record Begun(@Nullable Transaction transaction) {}

    private void commit(int own, Transaction transaction, Consumer<TransactionOutcome> once) {
        if (own != attempt || !speaking) {
            return;
        }
        ask(() -> kafka.commit(transaction), once);
        boolean unused = stopsAt(CrashPoint.BEFORE_THE_ANSWER);
    }

    /** What Kafka answers, if it is asked and its answer arrives. */
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
