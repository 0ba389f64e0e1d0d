package io.meridian.chaos.drill.load;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks at their own times, however the regions answer. Whoever listens hears of every one, also of those that failed. */
public final class OpenLoop implements AutoCloseable {
    /** What comes due when so many wait for their answers is not sent and counts as failed. */
    public static final int IN_FLIGHT_MAX = 1_000;

    private static final long ONCE_SECONDS = 60;
    private static final long PAUSE_NANOS = 500_000;
    private static final int REASON_LENGTH_MAX = 200;

    private final TimeSource time;
    private final long zeroNanos;
    private final Asking asking;
    private final Consumer<Checked> heard;
    private final Map<Lane, Pace> paces = new LinkedHashMap<>();
    private final Semaphore free = new Semaphore(IN_FLIGHT_MAX);
    private final Thread pacer = new Thread(this::pace, "open-loop");
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException broken;

    private OpenLoop(TimeSource time, long zeroNanos, Asking asking, Consumer<Checked> heard) {
        this.time = time;
        this.zeroNanos = zeroNanos;
        this.asking = asking;
        this.heard = heard;
    }

    /** Asks a region once. */
    @FunctionalInterface
    public interface Asking {
        CompletableFuture<Answer> ask(Lane lane);
    }

    /**
     * Begins at once.
     *
     * @param zeroNanos the monotonic time from which events count
     * @param heard called by several threads at a time
     */
    public static OpenLoop start(
            TimeSource time, long zeroNanos, Asking asking, Map<Lane, Double> perSecond, Consumer<Checked> heard) {
        OpenLoop loop = new OpenLoop(time, zeroNanos, asking, heard);
        perSecond.forEach((lane, rate) -> {
            Pace pace = new Pace();
            pace.change(rate, loop.now());
            loop.paces.put(lane, pace);
        });
        loop.pacer.setDaemon(true);
        loop.pacer.start();
        return loop;
    }

    private long now() {
        return time.monotonicNanos() - zeroNanos;
    }

    /** Asks once more than is due, and waits for the answer; it is heard as all others are. */
    public Checked once(Lane lane) throws InterruptedException {
        CompletableFuture<Checked> answered = send(lane);
        try {
            return answered.get(ONCE_SECONDS, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException bug) {
            throw new IllegalStateException("a check neither ended nor failed", bug);
        }
    }

    /** Sends no more, and returns when every check has its answer or has failed; that one did not in time is a failure. */
    public void stop(Duration within) throws InterruptedException {
        cease();
        pacer.join();
        RuntimeException failure = broken;
        if (failure != null) {
            throw new IllegalStateException("the load ended before its time", failure);
        }
        if (!free.tryAcquire(IN_FLIGHT_MAX, within.toMillis(), TimeUnit.MILLISECONDS)) {
            // They are in no count, so that none is right.
            throw new IllegalStateException((IN_FLIGHT_MAX - free.availablePermits()) + " checks without an answer");
        }
    }

    /** Sends no more by itself. */
    public void cease() {
        stopped = true;
    }

    @Override
    public void close() {
        cease();
    }

    private void pace() {
        try {
            sendWhatIsDue();
        } catch (RuntimeException e) {
            // Whoever stops the load is told; a drill that was not loaded is none.
            broken = e;
        }
    }

    private void sendWhatIsDue() {
        while (!stopped) {
            boolean any = false;
            for (Map.Entry<Lane, Pace> lane : paces.entrySet()) {
                if (lane.getValue().take(now())) {
                    any = true;
                    CompletableFuture<Checked> unused = send(lane.getKey());
                }
            }
            if (!any) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private CompletableFuture<Checked> send(Lane lane) {
        long sentNanos = now();
        if (!free.tryAcquire()) {
            Checked refused = failed(lane, sentNanos, "not sent: " + IN_FLIGHT_MAX + " wait for their answers");
            heard.accept(refused);
            return CompletableFuture.completedFuture(refused);
        }
        return asked(lane).handle((answer, failure) -> {
            Checked checked =
                    failure == null ? answered(lane, sentNanos, answer) : failed(lane, sentNanos, reason(failure));
            try {
                heard.accept(checked);
            } finally {
                free.release();
            }
            return checked;
        });
    }

    private CompletableFuture<Answer> asked(Lane lane) {
        try {
            return asking.ask(lane);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Checked answered(Lane lane, long sentNanos, Answer answer) {
        return new Checked(
                sentNanos,
                now(),
                lane.region(),
                lane.subject().policy(),
                answer.allowed() ? Outcome.ALLOWED : Outcome.DENIED,
                windowEnd(lane, answer),
                answer.degraded(),
                "");
    }

    /** Who decides without Redis only says when to ask again, and charges afterwards the window in which it decided: as it is answered. */
    private long windowEnd(Lane lane, Answer answer) {
        if (!answer.degraded()) {
            return answer.windowEndMicros();
        }
        long micros = TimeUnit.MILLISECONDS.toMicros(lane.subject().window().toMillis());
        return (Math.floorDiv(time.wallMicros(), micros) + 1) * micros;
    }

    private Checked failed(Lane lane, long sentNanos, String reason) {
        return new Checked(sentNanos, now(), lane.region(), lane.subject().policy(), Outcome.FAILED, 0, false, reason);
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String reason = cause.getClass().getSimpleName() + ": " + cause.getMessage();
        return reason.length() > REASON_LENGTH_MAX ? reason.substring(0, REASON_LENGTH_MAX) : reason;
    }
}
