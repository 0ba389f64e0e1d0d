package io.meridian.chaos.sim;

import io.meridian.model.time.TimeSource;
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

/** Many histories, as fast as the machine can: a thread plays one at a time from its start to its end. */
public final class Seeds {
    private static final Logger PRODUCTION = Logger.getLogger("io.meridian");

    private Seeds() {}

    /**
     * What many histories came to.
     *
     * @param violated the seeds that violate something, the first of them, and what
     */
    public record Sum(
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

    /** Plays {@code count} seeds from {@code first} on; stops early once {@code failuresMax} of them violate something. */
    public static Sum play(
            long first, long count, int threads, int failuresMax, Broken broken, Consumer<Simulation.Result> each)
            throws InterruptedException {
        return playUntil(violated -> violated.size() >= failuresMax, first, count, threads, broken, each);
    }

    /** Whether one of {@code count} seeds from {@code first} on violates this invariant; stops at the first that does. */
    public static boolean isViolated(String invariant, long first, long count, int threads, Broken broken)
            throws InterruptedException {
        AtomicBoolean found = new AtomicBoolean();
        playUntil(violated -> found.get(), first, count, threads, broken, result -> {
            Violation violation = result.violation();
            if (violation != null && violation.invariant().equals(invariant)) {
                found.set(true);
            }
        });
        return found.get();
    }

    /** @param enough whether no further seed is played, once so many violate something */
    private static Sum playUntil(
            Predicate<Map<Long, String>> enough,
            long first,
            long count,
            int threads,
            Broken broken,
            Consumer<Simulation.Result> each)
            throws InterruptedException {
        // Production tells of every takeover; here there are millions.
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
                    Simulation.Result result = Simulation.run(seed, broken);
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
            throw new IllegalStateException("histories take longer than a day");
        }
        workers.forEach(Seeds::throwIfDead);
        double seconds = (time.monotonicNanos() - beganNanos) / 1e9;
        return new Sum(sums[0].get(), sums[1].get(), sums[2].get(), sums[3].get(), sums[4].get(), seconds, violated);
    }

    /** What a history throws is its violation; what is thrown beside it would leave seeds unplayed, and nobody would know. */
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
