package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes in flight in one direction, first in, first out. Each chunk leaves at its own arrival plus the delay in force,
 * so chunks overlap in their waiting and delays never add up. The line holds at most {@link #BYTES_MAX} bytes and {@link
 * #CHUNKS_MAX} chunks; at the bound {@link #put} waits, the reader stops reading and TCP slows the sender down. A latency
 * L therefore caps the throughput at BYTES_MAX / L.
 */
final class DelayLine {
    static final int BYTES_MAX = 1 << 20;
    static final int CHUNKS_MAX = 1024;

    private final TimeSource time;
    private final SplittableRandom jitter;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private LinkConditions conditions;
    private long lineFreeNanos;
    private int bytesHeld;
    private boolean closed;

    DelayLine(TimeSource time, SplittableRandom jitter, LinkConditions conditions) {
        this.time = time;
        this.jitter = jitter;
        this.conditions = conditions;
        this.lineFreeNanos = time.monotonicNanos();
    }

    /** Takes bytes in, waiting at the bound; drops them where they are swallowed. */
    void put(byte[] bytes) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && !conditions.swallow() && isFullFor(bytes.length)) {
                changed.await();
            }
            if (!closed && !conditions.swallow()) {
                append(bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the end of the stream in; false where it was swallowed, and will never come out. */
    boolean putEnd() {
        lock.lock();
        try {
            if (conditions.swallow()) {
                return false;
            }
            append(new byte[0]);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next chunk to be due; empty once the line is closed. */
    Optional<Chunk> take() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Chunk head = chunks.peek();
                long now = time.monotonicNanos();
                long waitNanos = head == null ? Long.MAX_VALUE : conditions.dueNanos(head, lineFreeNanos) - now;
                if (waitNanos <= 0) {
                    lineFreeNanos = now;
                    return Optional.of(removeHead());
                }
                long unused = changed.awaitNanos(waitNanos);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Puts new conditions in force for all bytes, those in flight included; false where these held the end and lost it. */
    boolean change(LinkConditions next) {
        lock.lock();
        try {
            conditions = next;
            boolean endLost = next.swallow() && chunks.stream().anyMatch(Chunk::isEnd);
            if (next.swallow()) {
                chunks.clear();
                bytesHeld = 0;
            }
            changed.signalAll();
            return !endLost;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            chunks.clear();
            bytesHeld = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int bytesHeld() {
        lock.lock();
        try {
            return bytesHeld;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFullFor(int length) {
        return chunks.size() >= CHUNKS_MAX || bytesHeld + length > BYTES_MAX;
    }

    private void append(byte[] bytes) {
        chunks.add(new Chunk(bytes, time.monotonicNanos(), jitter.nextDouble(-1, 1)));
        bytesHeld += bytes.length;
        changed.signalAll();
    }

    private Chunk removeHead() {
        Chunk head = chunks.remove();
        bytesHeld -= head.bytes().length;
        changed.signalAll();
        return head;
    }

    /**
     * Bytes on their way with the time they came and their draw of the jitter, from -1 to 1. It carries no due time: that
     * follows from the toxics in force when it is asked for. A chunk without bytes is the end of the stream.
     */
    static final class Chunk {
        private final byte[] bytes;
        private final long arrivedNanos;
        private final double draw;

        /** Takes the bytes over without a copy. */
        Chunk(byte[] bytes, long arrivedNanos, double draw) {
            this.bytes = bytes;
            this.arrivedNanos = arrivedNanos;
            this.draw = draw;
        }

        byte[] bytes() {
            return bytes;
        }

        long arrivedNanos() {
            return arrivedNanos;
        }

        double draw() {
            return draw;
        }

        boolean isEnd() {
            return bytes.length == 0;
        }
    }
}
