package io.meridian.limiter.decide;

/** The port to time that passes: what is to be done later, on whatever thread answers come on. */
public interface Timers {
    void after(long millis, Runnable task);
}
