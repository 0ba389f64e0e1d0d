package io.meridian.limiter.operations;

import io.meridian.limiter.region.RegionCounters.Backlog;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * Load of this process in percent: the largest of its CPU time, as a share of the processors it may use; of the heap that its
 * last collections left in use, as a share of the most it may have; and of the queues before the region's counters. CPU and
 * queues are averaged over some seconds ({@code average += (now - average) / 8}), so that a burst of a moment changes no limit.
 * Nothing is known until {@value #WARM_UP_SAMPLES} samples are taken: a process that starts is busy with itself.
 */
@Singleton
class ProcessLoad {
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

    /** What the operating system and the virtual machine say of this process. */
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
        private final java.lang.management.OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();

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
