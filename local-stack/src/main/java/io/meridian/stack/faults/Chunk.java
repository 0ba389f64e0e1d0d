package io.meridian.stack.faults;

/**
 * Bytes on their way with the time they came and their draw of the jitter, from -1 to 1. It carries no due time: that
 * follows from the toxics in force when it is asked for. A chunk without bytes is the end of the stream.
 */
final class Chunk {
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
