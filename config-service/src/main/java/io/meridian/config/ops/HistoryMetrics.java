package io.meridian.config.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of the intake of usage, violations and operations. */
@Singleton
public class HistoryMetrics {
    /** Reason why a record is not in the history. */
    public enum Skipped {
        /** It cannot be decoded, or has impossible values. */
        UNREADABLE,
        /** A key is longer than the index allows. */
        TOO_LONG,
        /** There is no partition for its day. */
        OUT_OF_TIME
    }

    private static final String LAG = "meridian.config.history.lag";
    private static final String BATCHES = "meridian.config.history.batches";
    private static final String CONFLICTS = "meridian.config.history.conflicts";
    private static final String RECORDS = "meridian.config.history.records";
    private static final String SKIPPED = "meridian.config.history.skipped";

    private final AtomicLong lag = new AtomicLong();
    private final Counter batches;
    private final Counter conflicts;
    private final Counter records;
    private final Map<Skipped, Counter> skipped = new EnumMap<>(Skipped.class);

    public HistoryMetrics(MeterRegistry registry) {
        Gauge.builder(LAG, lag, AtomicLong::doubleValue)
                .description("Records of usage, violations and operations that are in Kafka and not yet in the history")
                .register(registry);
        batches = counter(BATCHES, "Transactions that added records to the history")
                .register(registry);
        conflicts = counter(CONFLICTS, "Transactions given up because another replica had taken in the records")
                .register(registry);
        records = counter(RECORDS, "Records read from Kafka and processed").register(registry);
        for (Skipped reason : Skipped.values()) {
            Counter.Builder counter = counter(SKIPPED, "Records that are not in the history")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT));
            skipped.put(reason, counter.register(registry));
        }
    }

    public void batch(int readRecords) {
        batches.increment();
        records.increment(readRecords);
    }

    public void conflict() {
        conflicts.increment();
    }

    public void skipped(Skipped reason, int count) {
        Objects.requireNonNull(skipped.get(reason)).increment(count);
    }

    public void lag(long behind) {
        lag.set(behind);
    }

    private static Counter.Builder counter(String name, String help) {
        return Counter.builder(name).description(help);
    }
}
