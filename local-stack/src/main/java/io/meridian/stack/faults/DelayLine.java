package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The bytes in flight in one direction, first in, first out. Each chunk leaves at its own arrival plus the delay in force,
 * so chunks overlap in their waiting and delays never add up. The line holds at most {@link #BYTES_MAX} bytes and {@link
 * #CHUNKS_MAX} chunks; when it is full, the connection is not read and TCP slows the sender down. A latency
 * L therefore caps the throughput at BYTES_MAX / L. Of one thread.
 */
final class DelayLine {
    static final int BYTES_MAX = 1 << 20;
    static final int CHUNKS_MAX = 1024;
    /** Most bytes of one chunk, and so the grain of a bandwidth. */
    static final int CHUNK_BYTES_MAX = 16 * 1024;

    /** A chunk that leaves later than it was due, by less than this, delays none after it: the loop waits in milliseconds. */
    private static final long LATE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    private final TimeSource time;
    private final SplittableRandom jitter;
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private LinkConditions conditions;
    private long lineFreeNanos;
    private int bytesHeld;

    DelayLine(TimeSource time, SplittableRandom jitter, LinkConditions conditions) {
        this.time = time;
        this.jitter = jitter;
        this.conditions = conditions;
        this.lineFreeNanos = time.monotonicNanos();
    }

    /** Whether no further chunk may come in. What swallows bytes is never full. */
    boolean isFull() {
        return chunks.size() >= CHUNKS_MAX || bytesHeld + CHUNK_BYTES_MAX > BYTES_MAX;
    }

    /** Takes bytes in; drops them where they are swallowed. */
    void put(byte[] bytes) {
        if (isFull()) {
            throw new IllegalStateException("the line is full with " + bytesHeld + " bytes");
        }
        if (!conditions.swallow()) {
            append(bytes);
        }
    }

    /** Takes the end of the stream in; false where it was swallowed, and will never come out. */
    boolean putEnd() {
        if (conditions.swallow()) {
            return false;
        }
        append(new byte[0]);
        return true;
    }

    /** Takes the next chunk out if it is due. */
    Optional<Chunk> take() {
        Chunk head = chunks.peek();
        if (head == null) {
            return Optional.empty();
        }
        long dueNanos = conditions.dueNanos(head, lineFreeNanos);
        long lateNanos = time.monotonicNanos() - dueNanos;
        if (lateNanos < 0) {
            return Optional.empty();
        }
        lineFreeNanos = dueNanos + Math.max(0, lateNanos - LATE_NANOS_MAX);
        chunks.remove();
        bytesHeld -= head.bytes().length;
        return Optional.of(head);
    }

    /** When the next chunk is due, a point of the monotonic clock; empty where there is none. */
    Optional<Long> nextDueNanos() {
        return Optional.ofNullable(chunks.peek()).map(head -> conditions.dueNanos(head, lineFreeNanos));
    }

    /** Puts new conditions in force for all bytes, those in flight included; false where these held the end and lost it. */
    boolean change(LinkConditions next) {
        conditions = next;
        boolean endLost = next.swallow() && chunks.stream().anyMatch(Chunk::isEnd);
        if (next.swallow()) {
            chunks.clear();
            bytesHeld = 0;
        }
        return !endLost;
    }

    int bytesHeld() {
        return bytesHeld;
    }

    private void append(byte[] bytes) {
        chunks.add(new Chunk(bytes, time.monotonicNanos(), jitter.nextDouble(-1, 1)));
        bytesHeld += bytes.length;
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
