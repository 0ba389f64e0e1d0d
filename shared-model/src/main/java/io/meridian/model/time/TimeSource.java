package io.meridian.model.time;

/**
 * The two clocks of a process, and its only source of time. A duration is a difference of {@link #monotonicNanos()}, an
 * instant is {@link #wallMicros()}; the two are never mixed, because a wall clock may step.
 */
public interface TimeSource {
    /** Nanoseconds since an arbitrary start; never steps back. */
    long monotonicNanos();

    /** Microseconds since 1970-01-01T00:00:00Z; may step either way. */
    long wallMicros();

    /** The clocks of this machine. */
    static TimeSource system() {
        return SystemTimeSource.INSTANCE;
    }
}
