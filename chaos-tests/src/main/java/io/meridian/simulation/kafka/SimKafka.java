package io.meridian.simulation.kafka;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.simulation.Mutation;
import io.meridian.simulation.invariants.InvariantChecker;
import io.meridian.simulation.nodes.SimSettings;
import io.meridian.simulation.world.SimSchedule;
import io.meridian.sync.leader.LogPort.End;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Kafka: the usage log, the transactional verdict log, and the consumer group of the sync replicas. */
public final class SimKafka {
    public static final int PARTITIONS = 2;
    private static final long READ_WAIT_MICROS = 500_000;
    private static final long TRANSACTION_MICROS =
            SimSettings.micros(SimSettings.sync("any").transactionTimeout());
    /** Bound on the time until the end of a transaction is visible everywhere. */
    private static final long END_SEEN_MICROS = 30_000;

    /** Record of the usage topic: usage of a region, or its announcement. */
    public record UsageEntry(
            @Nullable UsageRecord usage, @Nullable RegionAnnouncement announcement, long appendedMicros) {}

    private final SimSchedule schedule;
    private final SplittableRandom random;
    private final Mutation mutation;
    private final InvariantChecker invariants;
    private final SimGroup group;
    private final List<List<UsageEntry>> usage = new ArrayList<>();
    private final List<VerdictLog> verdicts = new ArrayList<>();
    private final Map<String, Long> producerEpochs = new HashMap<>();
    private final List<SimTransaction> open = new ArrayList<>();
    /** Fetches that wait for new records. */
    private List<Runnable> waiting = new ArrayList<>();

    private boolean up = true;
    private long disturbedMicros;

    public SimKafka(SimSchedule schedule, SplittableRandom random, Mutation mutation, InvariantChecker invariants) {
        this.schedule = schedule;
        this.random = random;
        this.mutation = mutation;
        this.invariants = invariants;
        this.group = new SimGroup(schedule, PARTITIONS, mutation);
        this.disturbedMicros = schedule.nowMicros();
        for (int i = 0; i < PARTITIONS; i++) {
            usage.add(new ArrayList<>());
            verdicts.add(new VerdictLog());
        }
    }

    public void up(boolean running) {
        up = running;
        disturbedMicros = schedule.nowMicros();
    }

    public boolean isUp() {
        return up;
    }

    public long disturbedMicros() {
        return up ? disturbedMicros : schedule.nowMicros();
    }

    public SimGroup group() {
        return group;
    }

    public List<UsageEntry> usage(int partition) {
        return usage.get(partition);
    }

    public VerdictLog verdicts(int partition) {
        return verdicts.get(partition);
    }

    public void append(UsageRecord record) {
        int partition = SimSettings.KEYS
                .shard(record.limit().policyId(), record.limit().key())
                .partition(PARTITIONS);
        usage.get(partition).add(new UsageEntry(record, null, schedule.nowMicros()));
        invariants.reported(record);
        wake();
    }

    public void append(RegionAnnouncement announcement) {
        UsageEntry entry = new UsageEntry(null, announcement, schedule.nowMicros());
        usage.forEach(partition -> partition.add(entry));
        wake();
    }

    /** Runs a fetch again as soon as there are new records, or after the maximum wait. */
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

    /** Initializes a producer: open transactions of the previous producer of that name are aborted, and it is fenced off. */
    public long init(String replica) {
        long epoch = producerEpochs.merge(replica, 1L, Long::sum);
        for (SimTransaction each : List.copyOf(open)) {
            if (each.replica.equals(replica)) {
                end(each, false);
            }
        }
        return epoch;
    }

    /** Begins a transaction with its records and offsets; null if the producer or the group member is fenced off. */
    public @Nullable SimTransaction begin(
            String replica, long producerEpoch, String member, long generation, List<PartitionBatch> said) {
        boolean fenced = mutation != Mutation.NO_FENCE && !group.isCurrent(member, generation);
        if (fenced || producerEpochs.getOrDefault(replica, 0L) != producerEpoch) {
            return null;
        }
        SimTransaction begun = new SimTransaction(replica, producerEpoch, said);
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

    public TransactionOutcome commit(SimTransaction transaction) {
        if (transaction.ended || producerEpochs.getOrDefault(transaction.replica, 0L) != transaction.producerEpoch) {
            return TransactionOutcome.REFUSED;
        }
        end(transaction, true);
        return TransactionOutcome.COMMITTED;
    }

    private void end(SimTransaction transaction, boolean committed) {
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
            transaction.said.forEach(each -> invariants.committed(transaction.replica, each, this));
        }
    }

    public boolean isSettled(Set<Integer> partitions) {
        return open.stream().filter(each -> each.offsetsPending).noneMatch(each -> each.said.stream()
                .anyMatch(said -> partitions.contains(said.partition())));
    }

    /** Ends of all partitions. */
    public Map<Integer, End> ends() {
        return ends(IntStream.range(0, PARTITIONS).boxed().collect(Collectors.toSet()));
    }

    public Map<Integer, End> ends(Set<Integer> partitions) {
        Map<Integer, End> ends = new TreeMap<>();
        partitions.forEach(each -> ends.put(
                each, new End(usage.get(each).size(), verdicts.get(each).end())));
        return ends;
    }

    /** Partition of the verdict log. Readers of committed records see it up to the first open transaction. */
    public static final class VerdictLog {
        private final List<Entry> entries = new ArrayList<>();
        private final Set<SimTransaction> visible = new HashSet<>();

        /**
         * Record of a transaction.
         *
         * @param marker whether it is the end marker of its transaction
         */
        public record Entry(
                SimTransaction transaction,
                @Nullable LeaderBeat beat,
                @Nullable FloorRight floor,
                @Nullable VerdictRecord verdict,
                boolean marker) {}

        public void add(Entry entry) {
            entries.add(entry);
        }

        /** Makes the end of a transaction visible to readers. */
        public void end(SimTransaction transaction) {
            entries.add(new Entry(transaction, null, null, null, true));
            visible.add(transaction);
        }

        public Entry get(long offset) {
            return entries.get((int) offset);
        }

        public long end() {
            return entries.size();
        }

        /** Last stable offset, from this offset on. */
        public long stable(long from) {
            for (long offset = from; offset < entries.size(); offset++) {
                Entry entry = get(offset);
                if (!entry.marker && !visible.contains(entry.transaction)) {
                    return offset;
                }
            }
            return entries.size();
        }
    }

    /** Transaction. Its end reaches the offsets and each partition at different times. */
    public static final class SimTransaction {
        public final String replica;
        public final long producerEpoch;
        public final List<PartitionBatch> said;
        public boolean ended;
        public boolean committed;
        /** Whether a request for the group's offsets has to wait for it. */
        boolean offsetsPending = true;

        public SimTransaction(String replica, long producerEpoch, List<PartitionBatch> said) {
            this.replica = replica;
            this.producerEpoch = producerEpoch;
            this.said = List.copyOf(said);
        }
    }
}
