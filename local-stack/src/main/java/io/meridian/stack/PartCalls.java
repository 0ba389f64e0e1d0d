package io.meridian.stack;

import io.meridian.stack.faults.FaultRefusal;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Carries out what is asked of parts, on threads of its own. When the stack ends, what is starting is given up, and what is
 * ending comes to its end first.
 */
final class PartCalls implements AutoCloseable {
    private static final int AT_ONCE = 16;
    private static final int STOP_SECONDS_MAX = 30;

    private final ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE, work -> {
        Thread thread = new Thread(work, "part-call");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Object, Future<?>> starts = new ConcurrentHashMap<>();

    /** Returns when it is done; a refusal is the caller's. */
    void perform(PartControl part, PartVerb verb) {
        Callable<Boolean> work = () -> {
            part.perform(verb);
            return true;
        };
        try {
            Future<Boolean> call = workers.submit(work);
            if (verb.starts()) {
                starts.put(work, call);
            }
            try {
                call.get();
            } finally {
                starts.remove(work);
            }
        } catch (RejectedExecutionException | CancellationException ending) {
            throw stackEnds(part, verb);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw stackEnds(part, verb);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof FaultRefusal refusal
                    ? refusal
                    : new IllegalStateException(
                            part.seat().name() + " cannot " + verb.word() + ": " + failed.getCause(), failed);
        }
    }

    private static FaultRefusal stackEnds(PartControl part, PartVerb verb) {
        return FaultRefusal.of(
                409, "the stack ends, cannot " + verb.word() + " " + part.seat().name());
    }

    @Override
    public void close() {
        workers.shutdown();
        starts.values().forEach(start -> start.cancel(true));
        try {
            workers.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
