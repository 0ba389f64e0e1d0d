package io.meridian.chaos.sim;

import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.sync.leader.LogPort.End;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Kafka: a log of usage, a log of verdicts in transactions, and the group of the replicas. */
final class SimKafka {
    static final int PARTITIONS = 2;
    private static final long READ_WAIT_MICROS = 500_000;
    private static final long TRANSACTION_MICROS =
            SimSettings.micros(SimSettings.sync("any").transactionTimeout());
    /** So long the end of a transaction takes to be seen everywhere, at most. */
    private static final long END_SEEN_MICROS = 30_000;

    /** A record of the usage topic: what a region used, or that it exists. */
    record UsageEntry(@Nullable UsageRecord usage, @Nullable RegionAnnouncement announcement, long appendedMicros) {}

    private final Schedule schedule;
    private final SplittableRandom random;
    private final Broken broken;
    private final Witness witness;
    private final SimGroup group;
    private final List<List<UsageEntry>> usage = new ArrayList<>();
    private final List<VerdictLog> verdicts = new ArrayList<>();
    private final Map<String, Long> producerEpochs = new HashMap<>();
    private final List<Transaction> open = new ArrayList<>();
    /** Those who wait for something new to read. */
    private List<Runnable> waiting = new ArrayList<>();

    private boolean up = true;
    private long troubledMicros;

    SimKafka(Schedule schedule, SplittableRandom random, Broken broken, Witness witness) {
        this.schedule = schedule;
        this.random = random;
        this.broken = broken;
        this.witness = witness;
        this.group = new SimGroup(schedule, PARTITIONS, broken);
        this.troubledMicros = schedule.nowMicros();
        for (int i = 0; i < PARTITIONS; i++) {
            usage.add(new ArrayList<>());
            verdicts.add(new VerdictLog());
        }
    }

    void up(boolean running) {
        up = running;
        troubledMicros = schedule.nowMicros();
    }

    boolean isUp() {
        return up;
    }

    long troubledMicros() {
        return up ? troubledMicros : schedule.nowMicros();
    }

    SimGroup group() {
        return group;
    }

    List<UsageEntry> usage(int partition) {
        return usage.get(partition);
    }

    VerdictLog verdicts(int partition) {
        return verdicts.get(partition);
    }

    void append(UsageRecord record) {
        int partition = SimSettings.KEYS
                .shard(record.limit().policyId(), record.limit().key())
                .partition(PARTITIONS);
        usage.get(partition).add(new UsageEntry(record, null, schedule.nowMicros()));
        witness.reported(record);
        wake();
    }

    void append(RegionAnnouncement announcement) {
        UsageEntry entry = new UsageEntry(null, announcement, schedule.nowMicros());
        usage.forEach(partition -> partition.add(entry));
        wake();
    }

    /** Has a reader look once there is something new, or after a while. */
    void await(Runnable look) {
        Runnable once = new Runnable() {
            private boolean done;

            @Override
            public void run() {
                if (!done) {
                    done = true;
                    look.run();
                }
            }
        };
        waiting.add(once);
        schedule.after(READ_WAIT_MICROS, once);
    }

    private void wake() {
        List<Runnable> woken = waiting;
        waiting = new ArrayList<>();
        woken.forEach(each -> schedule.after(0, each));
    }

    /** A producer of this name begins: what one before it left open is aborted, and it is not heard any more. */
    long init(String replica) {
        long epoch = producerEpochs.merge(replica, 1L, Long::sum);
        for (Transaction each : List.copyOf(open)) {
            if (each.replica.equals(replica)) {
                end(each, false);
            }
        }
        return epoch;
    }

    /** Writes what is said, and its offsets if the group knows the speaker; null if it is refused. */
    @Nullable Transaction begin(String replica, long producerEpoch, String member, long generation, List<PartitionBatch> said) {
        boolean fenced = broken != Broken.NO_FENCE && !group.isCurrent(member, generation);
        if (fenced || producerEpochs.getOrDefault(replica, 0L) != producerEpoch) {
            return null;
        }
        Transaction begun = new Transaction(replica, producerEpoch, said);
        open.add(begun);
        for (PartitionBatch each : said) {
            VerdictLog log = verdicts.get(each.partition());
            if (each.beat() != null) {
                log.add(new VerdictLog.Entry(begun, each.beat(), null, null, false));
            }
            each.floors().forEach(right -> log.add(new VerdictLog.Entry(begun, null, right, null, false)));
            each.verdicts().forEach(verdict -> log.add(new VerdictLog.Entry(begun, null, null, verdict, false)));
        }
        schedule.after(TRANSACTION_MICROS, () -> end(begun, false));
        return begun;
    }

    TransactionOutcome commit(Transaction transaction) {
        if (transaction.ended || producerEpochs.getOrDefault(transaction.replica, 0L) != transaction.producerEpoch) {
            return TransactionOutcome.REFUSED;
        }
        end(transaction, true);
        return TransactionOutcome.COMMITTED;
    }

    private void end(Transaction transaction, boolean committed) {
        if (transaction.ended) {
            return;
        }
        transaction.ended = true;
        transaction.committed = committed;
        schedule.after(random.nextLong(END_SEEN_MICROS), () -> {
            transaction.offsetsPending = false;
            open.remove(transaction);
        });
        for (PartitionBatch each : transaction.said) {
            schedule.after(random.nextLong(END_SEEN_MICROS), () -> {
                verdicts.get(each.partition()).end(transaction);
                wake();
            });
        }
        if (committed) {
            transaction.said.forEach(each -> witness.committed(transaction.replica, each, this));
        }
    }

    boolean isSettled(Set<Integer> partitions) {
        return open.stream().filter(each -> each.offsetsPending).noneMatch(each -> each.said.stream()
                .anyMatch(said -> partitions.contains(said.partition())));
    }

    /** Of all partitions. */
    Map<Integer, End> ends() {
        return ends(IntStream.range(0, PARTITIONS).boxed().collect(Collectors.toSet()));
    }

    Map<Integer, End> ends(Set<Integer> partitions) {
        Map<Integer, End> ends = new TreeMap<>();
        partitions.forEach(each -> ends.put(
                each, new End(usage.get(each).size(), verdicts.get(each).end())));
        return ends;
    }
}
