package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Event loop of all fault proxies of one stack: one thread accepts, reads, writes and runs timers. The state of connections belongs to this
 * thread; other threads change it by {@link #call}, which returns when the change is in effect. A task takes no lock, so callers may hold
 * theirs.
 */
final class EventLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final int END_MILLIS_MAX = 5_000;
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final TimeSource time;
    private final Selector selector = Selector.open();
    private final Thread thread = new Thread(this::run, FaultProxies.THREAD_PREFIX + "loop");
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    /** Written under the lock that guards against a task that nobody runs any more. */
    private volatile boolean closed;

    private EventLoop(TimeSource time) throws IOException {
        this.time = time;
    }

    static EventLoop start(TimeSource time) throws IOException {
        EventLoop loop = new EventLoop(time);
        loop.thread.setDaemon(true);
        loop.thread.start();
        return loop;
    }

    TimeSource time() {
        return time;
    }

    /** Handler of what a channel is ready for. */
    @FunctionalInterface
    interface Handler {
        void ready(SelectionKey key);
    }

    /** Task at a point of the monotonic clock. */
    static final class Timer implements Comparable<Timer> {
        private final long dueNanos;
        private final Runnable task;

        private Timer(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        /** Points of a monotonic clock are compared by their difference, which survives its wrapping around. */
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    /** On the loop alone. */
    SelectionKey register(SelectableChannel channel, int ops, Handler handler) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, ops, handler);
    }

    /** On the loop alone. */
    Timer schedule(Duration delay, Runnable task) {
        return scheduleAt(time.monotonicNanos() + delay.toNanos(), task);
    }

    /** On the loop alone. */
    Timer scheduleAt(long dueNanos, Runnable task) {
        Timer timer = new Timer(dueNanos, task);
        timers.add(timer);
        return timer;
    }

    /** On the loop alone. */
    void cancel(Timer timer) {
        timers.remove(timer);
    }

    /** Runs a task on the loop. Sockets that it closes are closed when this returns. */
    <T> T call(Callable<T> task) throws IOException {
        CompletableFuture<T> result = submit(task);
        if (result == null) {
            throw new IOException("the fault proxies are closed");
        }
        try {
            return result.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    /** The same for a task that does no I/O. After the end of the loop nobody else runs, and the task runs here. */
    <T> T get(Supplier<T> task) {
        CompletableFuture<T> result = submit(task::get);
        if (result == null) {
            return task.get();
        }
        try {
            return result.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private <T> @Nullable CompletableFuture<T> submit(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (tasks) {
            if (closed) {
                return null;
            }
            tasks.add(() -> complete(result, task));
        }
        selector.wakeup();
        return result;
    }

    private <T> void complete(CompletableFuture<T> result, Callable<T> task) {
        try {
            T value = task.call();
            // The system closes a channel when the selector has let go of it.
            selector.selectNow(EventLoop::handle);
            result.complete(value);
        } catch (Exception | Error failure) {
            result.completeExceptionally(failure);
        }
    }

    private void run() {
        try (selector) {
            while (!closed || !tasks.isEmpty()) {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                for (Timer head = timers.peek(); head != null && waitNanos(head) <= 0; head = timers.peek()) {
                    guarded(timers.remove().task);
                }
                select();
            }
        } catch (IOException failed) {
            LOG.error("the event loop of the fault proxies failed", failed);
        }
    }

    private void select() throws IOException {
        Timer head = timers.peek();
        if (head == null) {
            selector.select(EventLoop::handle);
            return;
        }
        long waitMillis = (waitNanos(head) + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        if (waitMillis <= 0) {
            selector.selectNow(EventLoop::handle);
        } else {
            selector.select(EventLoop::handle, waitMillis);
        }
    }

    private long waitNanos(Timer timer) {
        return timer.dueNanos - time.monotonicNanos();
    }

    private static void handle(SelectionKey key) {
        guarded(() -> ((Handler) key.attachment()).ready(key));
    }

    /** A failure of one connection must not end the loop of all. */
    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (CancelledKeyException ended) {
            LOG.debug("a channel was ready after its end");
        } catch (RuntimeException unforeseen) {
            LOG.warn("the event loop of the fault proxies goes on after a failure", unforeseen);
        }
    }

    /** Ends the thread; what is still registered must have been closed before. */
    @Override
    public void close() {
        synchronized (tasks) {
            closed = true;
        }
        selector.wakeup();
        try {
            thread.join(END_MILLIS_MAX);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
