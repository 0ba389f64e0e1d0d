package io.meridian.chaos.drill.load;

import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.Outcome;
import io.meridian.model.time.TimeSource;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks at their own times, however the regions answer. Whoever listens hears of every one, also of those that failed, and how late it
 * was sent: a check that came due while this process had no core is sent as soon as it has one.
 */
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
    private final Map<Lane, Timetable> timetables;
    private final Semaphore free = new Semaphore(IN_FLIGHT_MAX);
    private final Thread pacer = new Thread(this::pace, "open-loop");
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException broken;

    private OpenLoop(
            TimeSource time,
            long zeroNanos,
            Asking asking,
            Map<Lane, ? extends Timetable> timetables,
            Consumer<Checked> heard) {
        this.time = time;
        this.zeroNanos = zeroNanos;
        this.asking = asking;
        this.timetables = new LinkedHashMap<>(timetables);
        this.heard = heard;
    }

    /** Asks a region once about a key of the lane's subject. */
    @FunctionalInterface
    public interface Asking {
        CompletableFuture<Answer> ask(Lane lane, String key);
    }

    /**
     * Begins at once.
     *
     * @param zeroNanos the monotonic time from which events count
     * @param heard called by several threads at a time
     */
    public static OpenLoop start(
            TimeSource time,
            long zeroNanos,
            Asking asking,
            Map<Lane, ? extends Timetable> timetables,
            Consumer<Checked> heard) {
        OpenLoop loop = new OpenLoop(time, zeroNanos, asking, timetables, heard);
        loop.pacer.setDaemon(true);
        loop.pacer.start();
        return loop;
    }

    private long now() {
        return time.monotonicNanos() - zeroNanos;
    }

    /** Asks once more than is due, and waits for the answer; it is heard as all others are. */
    public Checked once(Lane lane) throws InterruptedException {
        CompletableFuture<Checked> answered = send(lane, now());
        try {
            return answered.get(ONCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException bug) {
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
            for (Map.Entry<Lane, Timetable> lane : timetables.entrySet()) {
                OptionalLong dueNanos = lane.getValue().takeDue(now(), time.wallMicros());
                if (dueNanos.isPresent()) {
                    any = true;
                    CompletableFuture<Checked> unused = send(lane.getKey(), dueNanos.getAsLong());
                }
            }
            if (!any) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private CompletableFuture<Checked> send(Lane lane, long dueNanos) {
        Sending sending = new Sending(lane, lane.subject().keyAt(time.wallMicros()), dueNanos, now());
        if (!free.tryAcquire()) {
            Checked refused = failed(sending, true, "not sent: " + IN_FLIGHT_MAX + " wait for their answers");
            heard.accept(refused);
            return CompletableFuture.completedFuture(refused);
        }
        return asked(sending).handle((answer, failure) -> {
            Checked checked = failure == null ? answered(sending, answer) : failed(sending, cause(failure));
            try {
                heard.accept(checked);
            } finally {
                free.release();
            }
            return checked;
        });
    }

    private record Sending(Lane lane, String key, long dueNanos, long sentNanos) {
        long lateMicros() {
            return TimeUnit.NANOSECONDS.toMicros(Math.max(0, sentNanos - dueNanos));
        }
    }

    private CompletableFuture<Answer> asked(Sending sending) {
        try {
            return asking.ask(sending.lane(), sending.key());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Checked answered(Sending sending, Answer answer) {
        long windowEnd = windowEnd(sending.lane(), answer);
        if (!sending.lane().subject().keyAt(windowEnd - 1).equals(sending.key())) {
            // Of a limit that nobody else asks for: in that window the load has another key.
            return failed(sending, true, "answered after its window");
        }
        return new Checked(
                sending.sentNanos(),
                sending.lateMicros(),
                now(),
                sending.lane().region(),
                sending.lane().subject().policy(),
                answer.allowed() ? Outcome.ALLOWED : Outcome.DENIED,
                windowEnd,
                answer.degraded(),
                false,
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

    private Checked failed(Sending sending, Throwable cause) {
        String reason = cause.getClass().getSimpleName() + ": " + cause.getMessage();
        return failed(
                sending,
                cause instanceof TimeoutException || cause instanceof HttpTimeoutException,
                reason.length() > REASON_LENGTH_MAX ? reason.substring(0, REASON_LENGTH_MAX) : reason);
    }

    private Checked failed(Sending sending, boolean gaveUp, String reason) {
        return new Checked(
                sending.sentNanos(),
                sending.lateMicros(),
                now(),
                sending.lane().region(),
                sending.lane().subject().policy(),
                Outcome.FAILED,
                0,
                false,
                gaveUp,
                reason);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
