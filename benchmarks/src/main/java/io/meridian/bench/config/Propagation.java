package io.meridian.bench.config;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes changes and times them, from sending the change to the first answer of a region that is by it. */
final class Propagation implements AutoCloseable {
    private static final Duration EFFECT_WITHIN = Duration.ofSeconds(20);
    /** Between two questions to a region: how exact the times are, and how much of the machine the asking takes. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final TimeSource time = TimeSource.system();
    private final MeasuredPolicy policy;
    private final ExecutorService watchers;

    Propagation(MeasuredPolicy policy) {
        this.policy = policy;
        this.watchers = Executors.newFixedThreadPool(policy.target().limiters().size());
    }

    /** When the admin had the answer, and when each region acted by the change. */
    record Times(long answeredNanos, Map<String, Long> effectNanos) {
        long everywhereNanos() {
            return effectNanos.values().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
        }
    }

    Times change(long limit) throws IOException, InterruptedException {
        long startNanos = time.monotonicNanos();
        policy.put(limit);
        long answeredNanos = time.monotonicNanos() - startNanos;
        Map<String, Future<Long>> watched = new LinkedHashMap<>();
        policy.target()
                .limiters()
                .forEach((region, limiter) ->
                        watched.put(region, watchers.submit(() -> effect(region, limiter, limit, startNanos))));
        Map<String, Long> effects = new LinkedHashMap<>();
        for (Map.Entry<String, Future<Long>> each : watched.entrySet()) {
            effects.put(each.getKey(), outcome(each.getValue()));
        }
        return new Times(answeredNanos, effects);
    }

    private long effect(String region, URI limiter, long limit, long startNanos)
            throws IOException, InterruptedException {
        long answered = policy.limitAt(limiter);
        while (answered != limit) {
            if (time.monotonicNanos() - startNanos > EFFECT_WITHIN.toNanos()) {
                throw new IllegalStateException("In " + region + " a change was not in effect within "
                        + EFFECT_WITHIN.toSeconds() + " s: the limit was " + answered + ", not " + limit
                        + ". Does its limiter follow the topic?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            answered = policy.limitAt(limiter);
        }
        return time.monotonicNanos() - startNanos;
    }

    private static long outcome(Future<Long> watched) throws IOException, InterruptedException {
        try {
            return watched.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw failed.getCause() instanceof IllegalStateException cause ? cause : new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        watchers.shutdownNow();
    }
}
