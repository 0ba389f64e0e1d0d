package io.meridian.bench.aggregator;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.aggregate.PartitionAggregate;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The aggregators of all partitions of one leader, filled with limits that every region uses. */
final class LeaderMemory {
    static final int ROUNDS = 60;
    private static final int PARTITIONS = 16;
    /** Few enough that hardly any changes twice in a round, at the smallest size too. */
    private static final int CHANGED_PER_ROUND = 1_000;

    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long START_MICROS = 490_000 * HOUR_MICROS;
    private static final WindowRule RULE =
            new WindowRule(3, 100_000, HOUR_MICROS, SharingMode.CONVERGE, AfterHeal.FORGIVE);
    private static final List<RegionIncarnation> LIVES = Stream.of(
                    "us-east", "us-west", "eu-west", "ap-south", "ap-northeast")
            .map(region -> new RegionIncarnation(region, START_MICROS - HOUR_MICROS))
            .toList();

    private static final KeySecret SECRET = KeySecret.parse("000102030405060708090a0b0c0d0e0f");
    private static final LimitKeys KEYS = new LimitKeys(SECRET);

    private final SplittableRandom random = new SplittableRandom(42);
    private final Aggregator[] partitions = new Aggregator[PARTITIONS];
    private final int limits;
    private long nowMicros = START_MICROS + 60_000_000L;

    private LeaderMemory(int limits) {
        this.limits = limits;
        for (int i = 0; i < PARTITIONS; i++) {
            partitions[i] = new Aggregator(new AggregatorRules(1_000_000, 1_000_000, HOUR_MICROS, SECRET));
            partitions[i].sweep(nowMicros, 0);
        }
        for (int i = 0; i < limits; i++) {
            LimitWindow limit = limit(i);
            for (RegionIncarnation life : LIVES) {
                of(limit).applyUsage(usage(limit, life, 1L + random.nextInt(2_000)), nowMicros);
            }
        }
        for (Aggregator each : partitions) {
            each.lead(1, nowMicros);
            tell(each);
        }
        // Verdicts on small changes are published with a delay; after it nothing is pending.
        nowMicros += 2_000_000;
        for (Aggregator each : partitions) {
            tell(each);
        }
    }

    static Cost measure(int limits) {
        long before = usedBytes();
        LeaderMemory world = new LeaderMemory(limits);
        double bytes = (double) (usedBytes() - before) / limits;
        double[] nanos =
                IntStream.range(0, ROUNDS).mapToDouble(round -> world.round()).toArray();
        Arrays.sort(nanos);
        return new Cost(bytes, nanos[0], nanos[ROUNDS / 2]);
    }

    /** Nanoseconds for each of many limits that changed: a report of one region, and what is to be said to that. */
    private double round() {
        UsageRecord[] changed = new UsageRecord[CHANGED_PER_ROUND];
        for (int i = 0; i < changed.length; i++) {
            changed[i] = usage(
                    limit(random.nextInt(limits)),
                    LIVES.get(random.nextInt(LIVES.size())),
                    5_000L + random.nextInt(10_000));
        }
        TimeSource time = TimeSource.system();
        long beganNanos = time.monotonicNanos();
        for (UsageRecord each : changed) {
            of(each.limit()).applyUsage(each, nowMicros);
        }
        nowMicros += 100_000;
        for (Aggregator each : partitions) {
            tell(each);
        }
        return (double) (time.monotonicNanos() - beganNanos) / changed.length;
    }

    private void tell(Aggregator aggregator) {
        PartitionAggregate.Tick tick = aggregator.tick(nowMicros, Integer.MAX_VALUE);
        tick.committed();
    }

    private Aggregator of(LimitWindow limit) {
        return partitions[KEYS.shard(limit.policyId(), limit.key()).partition(PARTITIONS)];
    }

    private static LimitWindow limit(int number) {
        return new LimitWindow("api-default", "api_key=k-" + number, START_MICROS);
    }

    private UsageRecord usage(LimitWindow limit, RegionIncarnation life, long taken) {
        return new UsageRecord(limit, life, RULE, new UsageCount(taken, 0), 0, taken / 60, 0, nowMicros);
    }

    /** Heap in use: the least of four readings, each after a garbage collection. */
    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Cost of limits at a leader: memory per limit, and time per changed limit. */
    record Cost(double bytesPerLimit, double bestNanos, double medianNanos) {}
}
