package io.meridian.drill.load;

import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Outcome;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient.CheckAnswer;
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
 * Open-loop load: checks are sent at their due times, whatever the answers. Its listener receives every check, failed ones too, with its
 * lateness: a check that was due while this process had no core is sent as soon as it has one.
 */
public final class OpenLoopLoad implements AutoCloseable {
    /** Bound on checks in flight; a check that is due beyond it is not sent and counts as failed. */
    public static final int IN_FLIGHT_MAX = 1_000;

    private static final long ONCE_SECONDS = 60;
    private static final long PAUSE_NANOS = 500_000;
    private static final int REASON_LENGTH_MAX = 200;

    private final TimeSource time;
    private final long zeroNanos;
    private final Sender sender;
    private final Consumer<Checked> listener;
    private final Map<Lane, SendSchedule> schedules;
    private final Semaphore free = new Semaphore(IN_FLIGHT_MAX);
    private final Thread pacer = new Thread(this::pace, "open-loop");
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException broken;

    private OpenLoopLoad(
            TimeSource time,
            long zeroNanos,
            Sender sender,
            Map<Lane, ? extends SendSchedule> schedules,
            Consumer<Checked> listener) {
        this.time = time;
        this.zeroNanos = zeroNanos;
        this.sender = sender;
        this.schedules = new LinkedHashMap<>(schedules);
        this.listener = listener;
    }

    /** Sender of one check on a key of the lane's subject. */
    @FunctionalInterface
    public interface Sender {
        CompletableFuture<CheckAnswer> send(Lane lane, String key);
    }

    /**
     * Starts the load.
     *
     * @param zeroNanos monotonic time of event time 0
     * @param listener called by several threads at a time
     */
    public static OpenLoopLoad start(
            TimeSource time,
            long zeroNanos,
            Sender sender,
            Map<Lane, ? extends SendSchedule> schedules,
            Consumer<Checked> listener) {
        OpenLoopLoad loop = new OpenLoopLoad(time, zeroNanos, sender, schedules, listener);
        loop.pacer.setDaemon(true);
        loop.pacer.start();
        return loop;
    }

    private long now() {
        return time.monotonicNanos() - zeroNanos;
    }

    /** Sends one check beside the schedule, and waits for its answer; the listener receives it too. */
    public Checked sendOnce(Lane lane) throws InterruptedException {
        CompletableFuture<Checked> answered = send(lane, now());
        try {
            return answered.get(ONCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException bug) {
            throw new IllegalStateException("a check was neither answered nor failed", bug);
        }
    }

    /** Stops sending, and returns when every check was answered or has failed; throws if one has not in time. */
    public void stop(Duration within) throws InterruptedException {
        cease();
        pacer.join();
        RuntimeException failure = broken;
        if (failure != null) {
            throw new IllegalStateException("the load generator failed", failure);
        }
        if (!free.tryAcquire(IN_FLIGHT_MAX, within.toMillis(), TimeUnit.MILLISECONDS)) {
            // They are missing in every count.
            throw new IllegalStateException((IN_FLIGHT_MAX - free.availablePermits()) + " checks without an answer");
        }
    }

    /** Stops the schedule; checks of {@link #sendOnce} are still sent. */
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
            // Thrown by stop(), because a drill without its load proves nothing.
            broken = e;
        }
    }

    private void sendWhatIsDue() {
        while (!stopped) {
            boolean any = false;
            for (Map.Entry<Lane, SendSchedule> lane : schedules.entrySet()) {
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
            Checked refused = failed(sending, true, "not sent: " + IN_FLIGHT_MAX + " checks are in flight");
            listener.accept(refused);
            return CompletableFuture.completedFuture(refused);
        }
        return answerTo(sending).handle((answer, failure) -> {
            Checked checked = failure == null ? answered(sending, answer) : failed(sending, cause(failure));
            try {
                listener.accept(checked);
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

    private CompletableFuture<CheckAnswer> answerTo(Sending sending) {
        try {
            return sender.send(sending.lane(), sending.key());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Checked answered(Sending sending, CheckAnswer answer) {
        long windowEnd = windowEnd(sending.lane(), answer);
        if (!sending.lane().subject().keyAt(windowEnd - 1).equals(sending.key())) {
            // The load has another key in the answered window, so no other check is charged to this one.
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

    /** A degraded decision names no window, only a time to retry. It is charged later to the window in which it was answered. */
    private long windowEnd(Lane lane, CheckAnswer answer) {
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

    /** Stream of checks on one subject in one region. */
    public record Lane(String region, Subject subject) {}
}
