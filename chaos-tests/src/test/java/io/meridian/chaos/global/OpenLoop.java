package io.meridian.chaos.global;

import io.meridian.chaos.drill.load.Answer;
import io.meridian.chaos.drill.load.Pace;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Checks of one subject at their own times, however the regions answer, and the count of what they answered. */
final class OpenLoop implements AutoCloseable {
    /** What comes due when so many wait for their answers is not sent and counts as failed. */
    static final int IN_FLIGHT_MAX = 1_000;

    private static final long PAUSE_NANOS = 500_000;

    private final TimeSource time = TimeSource.system();
    private final long beganNanos = time.monotonicNanos();
    private final Asking asking;
    private final Count count = new Count();
    private final Map<String, Pace> paces = new LinkedHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final Thread pacer = new Thread(this::pace, "open-loop");
    private volatile boolean stopped;

    private OpenLoop(Asking asking, Map<String, Double> perSecond) {
        this.asking = asking;
        perSecond.keySet().forEach(region -> paces.put(region, new Pace()));
        rates(perSecond);
    }

    /** Asks a region once. */
    @FunctionalInterface
    interface Asking {
        CompletableFuture<Answer> ask(String region);
    }

    static OpenLoop start(Asking asking, Map<String, Double> perSecond) {
        OpenLoop loop = new OpenLoop(asking, perSecond);
        loop.pacer.setDaemon(true);
        loop.pacer.setUncaughtExceptionHandler((thread, bug) -> loop.count.failed("the load itself: " + bug));
        loop.pacer.start();
        return loop;
    }

    /** From now on at these rates; regions that are not named keep theirs. */
    void rates(Map<String, Double> perSecond) {
        perSecond.forEach((region, rate) -> {
            Pace pace = paces.get(region);
            if (pace == null) {
                throw new IllegalArgumentException("region must be one of " + paces.keySet() + ", got " + region);
            }
            pace.change(rate, time.monotonicNanos() - beganNanos);
        });
    }

    Count count() {
        return count;
    }

    long sent() {
        return sent.get();
    }

    /** Sends no more, and returns when every request has its answer or has failed. */
    Count stop() throws Exception {
        close();
        pacer.join();
        Eventually.holds("every check is answered", () -> inFlight.get() == 0);
        return count;
    }

    /** Sends no more. */
    @Override
    public void close() {
        stopped = true;
    }

    private void pace() {
        while (!stopped) {
            boolean any = false;
            for (Map.Entry<String, Pace> region : paces.entrySet()) {
                if (region.getValue().take(time.monotonicNanos() - beganNanos)) {
                    any = true;
                    send(region.getKey());
                }
            }
            if (!any) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void send(String region) {
        sent.incrementAndGet();
        if (inFlight.incrementAndGet() > IN_FLIGHT_MAX) {
            inFlight.decrementAndGet();
            count.failed("not sent: " + IN_FLIGHT_MAX + " wait for their answers");
            return;
        }
        long sentNanos = time.monotonicNanos();
        CompletableFuture<Void> unused = asking.ask(region).handle((answer, failure) -> {
            if (failure == null) {
                count.answered(new Answered(region, answer, sentNanos, time.monotonicNanos()));
            } else {
                count.failed(reason(failure));
            }
            inFlight.decrementAndGet();
            return null;
        });
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
