package io.meridian.limiter.metrics;

import io.meridian.limiter.metrics.LimiterMetrics.Durations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Meters of calls to the region's counters. */
public final class RedisMetrics {
    private static final double MICROS_PER_SECOND = 1e6;

    private final LongAdder calls;
    private final LongAdder asks;
    private final LongAdder endless;
    private final LongAdder forgotten;
    private final LongAdder replicaCompared;
    private final LongAdder replicaDrifted;
    private final LongAdder replicaIncomparable;
    private final Timer duration;
    private final Counts<RedisFailure> failures;
    private volatile BreakerState breaker = BreakerState.CLOSED;
    private volatile long clockOffsetMicros;

    RedisMetrics(MeterRegistry registry) {
        calls = Counts.adder(registry, LimiterMetrics.REDIS_CALLS, "Script calls sent to Redis", Tags.empty());
        asks = Counts.adder(
                registry, LimiterMetrics.REDIS_REQUESTS, "Counter requests sent in script calls", Tags.empty());
        endless = Counts.adder(
                registry, LimiterMetrics.KEYS_ENDLESS, "Keys without an expiry that were given one", Tags.empty());
        forgotten = Counts.adder(
                registry,
                LimiterMetrics.ACCOUNTS_DROPPED,
                "Window accounts with unreported usage that were dropped, because a bound was reached",
                Tags.empty());
        replicaCompared =
                Counts.adder(registry, LimiterMetrics.REPLICA_COMPARED, "Keys compared with the replica", Tags.empty());
        replicaDrifted = Counts.adder(
                registry,
                LimiterMetrics.REPLICA_DRIFTED,
                "Keys whose value at the replica is not the master's",
                Tags.empty());
        replicaIncomparable = Counts.adder(
                registry,
                LimiterMetrics.REPLICA_INCOMPARABLE,
                "Comparisons given up: the replica was unreachable, behind, or replicates another server",
                Tags.empty());
        duration = Durations.timer(registry, LimiterMetrics.REDIS_DURATION, "From a call to its answer");
        failures = new Counts<>(
                registry,
                LimiterMetrics.REDIS_FAILURES,
                "Counter requests that Redis did not answer",
                Tags.empty(),
                "kind",
                RedisFailure.class);
        Gauge.builder(LimiterMetrics.BREAKER_STATE, () -> breaker.level())
                .description("0 closed, 1 half open, 2 open")
                .register(registry);
        Gauge.builder(LimiterMetrics.CLOCK_OFFSET, () -> clockOffsetMicros / MICROS_PER_SECOND)
                .description("The region's clock less this machine's")
                .baseUnit("seconds")
                .register(registry);
    }

    /** A script call with so many asks was sent. */
    public void called(int askCount) {
        calls.increment();
        asks.add(askCount);
    }

    /** A call was answered, so long after it was sent. */
    public void answered(long nanos) {
        duration.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void failed(RedisFailure kind) {
        failures.add(kind, 1);
    }

    public void breaker(BreakerState state) {
        breaker = state;
    }

    /** A reconciliation found keys without an expiry and accounts that nobody would report. */
    public void reconciled(long endlessKeys, long forgottenBooks) {
        endless.add(endlessKeys);
        forgotten.add(forgottenBooks);
    }

    /** A sample of keys was compared with the replica. */
    public void replicaCompared(long keys, long drifted) {
        replicaCompared.add(keys);
        replicaDrifted.add(drifted);
    }

    /** A comparison could not be made. */
    public void replicaIncomparable() {
        replicaIncomparable.increment();
    }

    /** How far the region's clock is ahead of this machine's. */
    public void clockOffset(long micros) {
        clockOffsetMicros = micros;
    }

    /** State of the circuit breaker before Redis. */
    public enum BreakerState {
        CLOSED(0),
        HALF_OPEN(1),
        OPEN(2);

        private final int level;

        BreakerState(int level) {
            this.level = level;
        }

        /** Value of the gauge. */
        int level() {
            return level;
        }
    }

    /** Reason why the region's counters did not answer. */
    public enum RedisFailure {
        /** No answer within the time budget. */
        TIMEOUT,
        /** An answer that is an error, or a connection that broke. */
        ERROR,
        /** Too many were waiting already. */
        REFUSED,
        /** The circuit breaker is open: nobody was asked. */
        BREAKER
    }
}
