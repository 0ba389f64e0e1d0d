package io.meridian.simulation;

import io.meridian.model.time.TimeSource;
import io.meridian.simulation.invariants.InvariantViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Run of many histories in parallel: each thread runs one at a time from start to end. */
public final class SeedRange {
    private static final Logger PRODUCTION = Logger.getLogger("io.meridian");

    private SeedRange() {}

    /**
     * Totals of many histories.
     *
     * @param violated messages of violations by seed
     */
    public record Totals(
            long seeds,
            long steps,
            long allowed,
            long denied,
            long degraded,
            double seconds,
            Map<Long, String> violated) {
        public double perSecond() {
            return seeds / seconds;
        }
    }

    /** Runs {@code count} seeds from {@code first} on; stops early after {@code failuresMax} violations. */
    public static Totals play(
            long first, long count, int threads, int failuresMax, Mutation mutation, Consumer<Simulation.Result> each)
            throws InterruptedException {
        return playUntil(violated -> violated.size() >= failuresMax, first, count, threads, mutation, each);
    }

    /** Whether one of {@code count} seeds from {@code first} on violates this invariant; stops at the first that does. */
    public static boolean isViolated(String invariant, long first, long count, int threads, Mutation mutation)
            throws InterruptedException {
        AtomicBoolean found = new AtomicBoolean();
        playUntil(violated -> found.get(), first, count, threads, mutation, result -> {
            InvariantViolation violation = result.violation();
            if (violation != null && violation.invariant().equals(invariant)) {
                found.set(true);
            }
        });
        return found.get();
    }

    /** @param enough whether to stop, by the violations so far */
    private static Totals playUntil(
            Predicate<Map<Long, String>> enough,
            long first,
            long count,
            int threads,
            Mutation mutation,
            Consumer<Simulation.Result> each)
            throws InterruptedException {
        // Production logs every takeover, and here there are millions.
        PRODUCTION.setLevel(Level.OFF);
        TimeSource time = TimeSource.system();
        long beganNanos = time.monotonicNanos();
        Map<Long, String> violated = new TreeMap<>();
        AtomicLong next = new AtomicLong(first);
        AtomicLong[] sums = {new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()};
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(pool.submit(() -> {
                for (long seed = next.getAndIncrement(); seed < first + count; seed = next.getAndIncrement()) {
                    Simulation.Result result = Simulation.run(seed, mutation);
                    boolean done;
                    synchronized (violated) {
                        if (enough.test(violated)) {
                            return;
                        }
                        if (result.violation() != null) {
                            violated.put(seed, String.valueOf(result.violation().getMessage()));
                        }
                        each.accept(result);
                        done = enough.test(violated);
                    }
                    sums[0].incrementAndGet();
                    sums[1].addAndGet(result.steps());
                    sums[2].addAndGet(result.allowed());
                    sums[3].addAndGet(result.denied());
                    sums[4].addAndGet(result.degraded());
                    if (done) {
                        return;
                    }
                }
            }));
        }
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.DAYS)) {
            throw new IllegalStateException("the histories did not end within a day");
        }
        workers.forEach(SeedRange::throwIfDead);
        double seconds = (time.monotonicNanos() - beganNanos) / 1e9;
        return new Totals(sums[0].get(), sums[1].get(), sums[2].get(), sums[3].get(), sums[4].get(), seconds, violated);
    }

    /** An exception in a history is its violation; one outside of it would leave seeds out unnoticed. */
    private static void throwIfDead(Future<?> worker) {
        try {
            worker.get();
        } catch (ExecutionException died) {
            throw new IllegalStateException("a worker died", died);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
