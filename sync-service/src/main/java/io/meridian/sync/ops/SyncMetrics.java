package io.meridian.sync.ops;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.Overshoot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All metrics of a replica, and all their names. Tags are bounded: enums, and so many regions as are kept. */
@Singleton
public class SyncMetrics {
    private static final String PREFIX = "meridian.sync.";

    public static final String CLOCK_SKEW = "meridian.sync.clock.skew";
    public static final String LOOP = "meridian.sync.loop";

    private static final String PARTITIONS_LED = "meridian.sync.partitions.led";
    private static final String TAKEOVERS = "meridian.sync.takeovers";
    private static final String FENCED = "meridian.sync.fenced";
    private static final String TRANSACTIONS = "meridian.sync.transactions";
    private static final String TRANSACTION = "meridian.sync.transaction";
    private static final String USAGE_APPLIED = "meridian.sync.usage.applied";
    private static final String VERDICTS_PUBLISHED = "meridian.sync.verdicts.published";
    private static final String MISPLACED = "meridian.sync.usage.misplaced";
    private static final String UNREADABLE = "meridian.sync.records.unreadable";
    private static final String IMPLAUSIBLE = "meridian.sync.records.implausible";
    private static final String LIMITS = "meridian.sync.limits";
    private static final String LAG = "meridian.sync.lag";
    private static final String ANOMALIES = "meridian.sync.anomalies";
    private static final String ESCROW_GRANTED = "meridian.sync.escrow.granted";
    private static final String ESCROW_SPENT = "meridian.sync.escrow.spent";
    private static final String OVERSHOOT_UNITS = "meridian.sync.overshoot.units";
    private static final String OVERSHOOT_WINDOWS = "meridian.sync.overshoot.windows";

    private final MeterRegistry registry;
    private final AtomicLong led;
    private final AtomicLong limits;
    private final AtomicLong lag;
    private final AtomicLong anomalies;
    private final AtomicLong granted;
    private final AtomicLong spent;
    private final Counter takeovers;
    private final Counter fenced;
    private final Counter usageApplied;
    private final Counter verdictsPublished;
    private final Counter unreadable;
    private final Counter implausible;
    private final Counter misplaced;
    private final Counter overshotWindows;
    private final Timer transaction;
    private final Map<TransactionOutcome, Counter> outcomes = new EnumMap<>(TransactionOutcome.class);
    private final Map<AfterHeal, Counter> overshotUnits = new EnumMap<>(AfterHeal.class);

    public SyncMetrics(MeterRegistry registry) {
        this.registry = registry;
        removeFormerMeters(registry);
        led = gauge(PARTITIONS_LED, "Partitions that this replica leads");
        limits = gauge(LIMITS, "Limits and windows in this replica's memory");
        lag = gauge(LAG, "Records of usage that are in Kafka and not yet read");
        anomalies = gauge(ANOMALIES, "Inconsistent escrow accounts, at the last reconciliation");
        granted = units(ESCROW_GRANTED, "Grants and floors, not given back, in open windows of led partitions");
        spent = units(ESCROW_SPENT, "Spent units of these grants and floors");
        takeovers = counter(TAKEOVERS, "Partitions whose leadership this replica took");
        fenced = counter(FENCED, "Transactions refused because another replica leads");
        usageApplied = counter(USAGE_APPLIED, "Records of usage applied");
        verdictsPublished = counter(VERDICTS_PUBLISHED, "Verdicts committed");
        unreadable = counter(UNREADABLE, "Records that could not be decoded, and were skipped");
        implausible = counter(IMPLAUSIBLE, "Reports refused because their incarnation is in the future");
        misplaced = counter(MISPLACED, "Records of usage refused because their limit belongs to another partition");
        overshotWindows = counter(OVERSHOOT_WINDOWS, "Findings of windows in which more than the limit was admitted");
        transaction = LoopBuckets.timer(TRANSACTION, "From the begin of a transaction to its end")
                .register(registry);
        for (TransactionOutcome outcome : TransactionOutcome.values()) {
            outcomes.put(outcome, tagged(TRANSACTIONS, "Transactions by how they ended", "outcome", outcome));
        }
        for (AfterHeal afterHeal : AfterHeal.values()) {
            overshotUnits.put(
                    afterHeal, tagged(OVERSHOOT_UNITS, "Units admitted above limits", "after_heal", afterHeal));
        }
    }

    /** Started again in the same process, as tests do, it would find its old meters, and they would hide the new ones. */
    private static void removeFormerMeters(MeterRegistry registry) {
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .forEach(registry::remove);
    }

    public void leads(int partitions) {
        led.set(partitions);
    }

    public void tookOver(int partitions) {
        takeovers.increment(partitions);
    }

    public void transaction(TransactionOutcome outcome, long nanos, int verdicts) {
        Objects.requireNonNull(outcomes.get(outcome)).increment();
        transaction.record(Duration.ofNanos(nanos));
        if (outcome == TransactionOutcome.COMMITTED) {
            verdictsPublished.increment(verdicts);
        } else if (outcome == TransactionOutcome.REFUSED) {
            fenced.increment();
        }
    }

    public void usageApplied() {
        usageApplied.increment();
    }

    public void misplaced() {
        misplaced.increment();
    }

    public void unreadable() {
        unreadable.increment();
    }

    public void implausible() {
        implausible.increment();
    }

    public void known(long knownLimits, long behind) {
        limits.set(knownLimits);
        lag.set(behind);
    }

    public void anomalies(int found) {
        anomalies.set(found);
    }

    public void granted(GrantTotals totals) {
        granted.set(totals.granted());
        spent.set(totals.spent());
    }

    public void overshot(Overshoot overshoot) {
        overshotWindows.increment();
        Objects.requireNonNull(overshotUnits.get(overshoot.rule().afterHeal())).increment((double) overshoot.grown());
    }

    private AtomicLong gauge(String name, String help) {
        return gauge(name, help, null);
    }

    private AtomicLong units(String name, String help) {
        return gauge(name, help, "units");
    }

    private AtomicLong gauge(String name, String help, @Nullable String unit) {
        AtomicLong value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::doubleValue)
                .description(help)
                .baseUnit(unit)
                .register(registry);
        return value;
    }

    private Counter counter(String name, String help) {
        return Counter.builder(name).description(help).register(registry);
    }

    private Counter tagged(String name, String help, String tag, Enum<?> value) {
        return Counter.builder(name)
                .description(help)
                .tag(tag, value.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    /** Timers as histograms with fixed buckets, which add up over replicas as percentiles do not. */
    public static final class LoopBuckets {
        private static final Duration[] BUCKETS = {
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(75),
            Duration.ofMillis(100),
            Duration.ofMillis(150),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2_500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10)
        };

        private LoopBuckets() {}

        public static Timer.Builder timer(String name, String help) {
            return Timer.builder(name).description(help).serviceLevelObjectives(BUCKETS);
        }
    }

    /** Outcomes of a transaction. */
    public enum TransactionOutcome {
        COMMITTED,
        /** Fenced: the broker knows of another leader. */
        REFUSED,
        /** It may have been committed or not: the next leader has to read to the end. */
        FAILED
    }
}
