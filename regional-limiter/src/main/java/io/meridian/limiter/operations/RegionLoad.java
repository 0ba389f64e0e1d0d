package io.meridian.limiter.operations;

import io.meridian.limiter.LimiterConfig.LoadConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.LoadReport;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.RegionCounters.Backlog;
import io.meridian.limiter.region.RegionStore;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Load of the region, the same for all its instances: what was last reported to any of them, and the largest that any of them
 * measures of itself. Both are shared through the store and believed for a while.
 *
 * <p>One record holds the largest measured load and the instance whose it is. An instance overwrites it if it is its own or no
 * larger than its own load; a record that nobody renews ends. Without a store each instance follows its own load.
 */
@Singleton
class RegionLoad implements LoadSignal, LoadReport {
    private static final String REPORTED_KEY = "load";
    private static final String MEASURED_KEY = "load-measured";
    /** For how many intervals a measured load is believed. */
    private static final int INTERVALS_BELIEVED = 6;

    private static final int NONE = -1;

    private final RegionStore store;
    private final LoadConfig config;
    private final ProcessLoad own;
    private final TimeSource time;
    private final String instance;
    private final LoadConfig.LoadSource source;
    private final Duration measuredFor;
    private final AtomicBoolean measuring = new AtomicBoolean();
    private volatile @Nullable Known reported;
    private volatile @Nullable Known measured;

    private record Known(Optional<Integer> percent, long atNanos) {}

    @Inject
    RegionLoad(RegionStore store, LoadConfig config, ProcessLoad own, TimeSource time) {
        this(store, config, own, time, randomName());
    }

    private static String randomName() {
        return Long.toHexString(new SecureRandom().nextLong());
    }

    /** @param instance the name of this process among those of its region, without a space */
    RegionLoad(RegionStore store, LoadConfig config, ProcessLoad own, TimeSource time, String instance) {
        this.store = store;
        this.config = config;
        this.own = own;
        this.time = time;
        this.instance = instance;
        this.source = config.source();
        this.measuredFor = config.readEvery().multipliedBy(INTERVALS_BELIEVED);
    }

    void start(@Observes StartupEvent event, Vertx vertx, LimiterMetrics metrics) {
        metrics.load().percent(this::percent);
        vertx.setPeriodic(config.readEvery().toMillis(), ignored -> round());
    }

    /** Learns what was reported to and measured by the region's instances, and tells them what this one measures. */
    void round() {
        if (source != LoadConfig.LoadSource.SELF) {
            long askedNanos = time.monotonicNanos();
            store.get(REPORTED_KEY).thenAccept(told -> told.map(Integer::parseInt)
                    .ifPresentOrElse(percent -> reported = known(percent), () -> forgetReported(askedNanos)));
        }
        if (source != LoadConfig.LoadSource.REPORTED && measuring.compareAndSet(false, true)) {
            own.measure().thenCompose(this::share).whenComplete((done, failure) -> measuring.set(false));
        }
    }

    @Override
    public void report(int percent) {
        reported = known(percent);
        store.put(REPORTED_KEY, Integer.toString(percent), config.believedFor());
    }

    @Override
    public Optional<Integer> percent() {
        return switch (source) {
            case REPORTED -> believed(reported, config.believedFor());
            case SELF -> believed(measured, measuredFor);
            case LARGER -> larger(believed(reported, config.believedFor()), believed(measured, measuredFor));
        };
    }

    /** The record has ended; one that is being written counts from the next interval on. */
    private void forgetReported(long askedNanos) {
        Known last = reported;
        if (last != null && last.atNanos < askedNanos - config.readEvery().toNanos()) {
            reported = null;
        }
    }

    private CompletionStage<Void> share(OptionalInt mine) {
        return store.get(MEASURED_KEY)
                .exceptionally(away -> Optional.empty())
                .thenAccept(there -> follow(there.map(this::ofAnother).orElse(NONE), mine));
    }

    private void follow(int others, OptionalInt mine) {
        if (others > mine.orElse(NONE)) {
            measured = known(others);
        } else if (mine.isPresent()) {
            measured = known(mine.getAsInt());
            store.put(MEASURED_KEY, mine.getAsInt() + " " + instance, measuredFor);
        }
    }

    /** Load that another instance measures; {@link #NONE} if the record is this instance's own or of an unknown form. */
    private int ofAnother(String record) {
        String[] parts = record.split(" ", 2);
        boolean legible = parts.length == 2 && parts[0].matches("[0-9]{1,3}");
        return legible && !parts[1].equals(instance) ? Math.min(Integer.parseInt(parts[0]), 100) : NONE;
    }

    private Known known(int percent) {
        return new Known(Optional.of(percent), time.monotonicNanos());
    }

    private Optional<Integer> believed(@Nullable Known known, Duration during) {
        return known != null && time.monotonicNanos() - known.atNanos < during.toNanos()
                ? known.percent
                : Optional.empty();
    }

    private static Optional<Integer> larger(Optional<Integer> a, Optional<Integer> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        return a.get() >= b.get() ? a : b;
    }

    /**
     * Load of this process in percent: the largest of its CPU time, as a share of the processors it may use; of the heap that its
     * last collections left in use, as a share of the most it may have; and of the queues before the region's counters. CPU and
     * queues are averaged over some seconds ({@code average += (now - average) / 8}), so that a burst of a moment changes no limit.
     * Nothing is known until {@value #WARM_UP_SAMPLES} samples are taken: a process that starts is busy with itself.
     */
    @Singleton
    static class ProcessLoad {
        static final int WARM_UP_SAMPLES = 20;
        private static final double SMOOTHING = 8;
        private static final int FULL = 100;

        private final Readings process;
        private final Backlog backlog;
        private final TimeSource time;
        private long lastNanos;
        private long lastCpuNanos;
        private double cpuPercent;
        private double backlogPercent;
        private int samples;

        /** Readings of this process by the operating system and the virtual machine. */
        interface Readings {
            /** The CPU time that it has used. */
            long cpuNanos();

            int processors();

            /** The share of the heap in use after the last collections, from 0 to 1. */
            double heapShare();
        }

        @Inject
        ProcessLoad(Backlog backlog, TimeSource time) {
            this(new ThisProcess(), backlog, time);
        }

        ProcessLoad(Readings process, Backlog backlog, TimeSource time) {
            this.process = process;
            this.backlog = backlog;
            this.time = time;
            this.lastNanos = time.monotonicNanos();
            this.lastCpuNanos = process.cpuNanos();
        }

        /** Takes a sample; the load as it then is, empty while it is not known. A backlog that cannot be asked counts as full. */
        CompletionStage<OptionalInt> measure() {
            return backlog.backlogPercent().handle((percent, failure) -> sample(failure == null ? percent : FULL));
        }

        private synchronized OptionalInt sample(int backlogNow) {
            long nowNanos = time.monotonicNanos();
            long cpuNanos = process.cpuNanos();
            long spanNanos = nowNanos - lastNanos;
            if (spanNanos > 0) {
                double used = (double) FULL * (cpuNanos - lastCpuNanos) / ((double) spanNanos * process.processors());
                cpuPercent += (used - cpuPercent) / SMOOTHING;
                backlogPercent += (backlogNow - backlogPercent) / SMOOTHING;
                lastNanos = nowNanos;
                lastCpuNanos = cpuNanos;
                samples = Math.min(samples + 1, WARM_UP_SAMPLES);
            }
            double largest = Math.max(Math.max(cpuPercent, backlogPercent), FULL * process.heapShare());
            return samples < WARM_UP_SAMPLES
                    ? OptionalInt.empty()
                    : OptionalInt.of((int) Math.round(Math.min(FULL, Math.max(0, largest))));
        }

        private static final class ThisProcess implements Readings {
            private final java.lang.management.OperatingSystemMXBean system =
                    ManagementFactory.getOperatingSystemMXBean();

            @Override
            public long cpuNanos() {
                return system instanceof com.sun.management.OperatingSystemMXBean known ? known.getProcessCpuTime() : 0;
            }

            @Override
            public int processors() {
                return Runtime.getRuntime().availableProcessors();
            }

            @Override
            public double heapShare() {
                long used = 0;
                for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
                    MemoryUsage left = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
                    used += left == null ? 0 : left.getUsed();
                }
                return (double) used / Runtime.getRuntime().maxMemory();
            }
        }
    }
}
