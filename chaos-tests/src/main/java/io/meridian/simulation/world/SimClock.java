package io.meridian.chaos.sim;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;

/** A machine's clock: its wall time steps and drifts, its monotonic time does not. */
final class SimClock implements TimeSource {
    private static final long PER_MILLION = 1_000_000;

    private final Schedule schedule;
    private long offsetMicros;
    private long driftPpm;
    private long sinceMicros;
    private long setMicros;
    private long setBackMicros;

    SimClock(Schedule schedule) {
        this.schedule = schedule;
        this.sinceMicros = schedule.nowMicros();
    }

    /** From now on off by so much, and running too fast by so many millionths. */
    void set(long offMicros, long ppm) {
        if (offMicros < offMicros()) {
            setBackMicros = schedule.nowMicros();
        }
        offsetMicros = offMicros;
        driftPpm = ppm;
        sinceMicros = schedule.nowMicros();
        setMicros = sinceMicros;
    }

    /** When it was last set; before everything if it never was. */
    long setMicros() {
        return setMicros;
    }

    /** When it was last set back; before everything if it never was. */
    long setBackMicros() {
        return setBackMicros;
    }

    boolean isDrifting() {
        return driftPpm != 0;
    }

    long offMicros() {
        return wallMicros() - schedule.nowMicros();
    }

    @Override
    public long wallMicros() {
        long now = schedule.nowMicros();
        return now + offsetMicros + (now - sinceMicros) * driftPpm / PER_MILLION;
    }

    @Override
    public long monotonicNanos() {
        return TimeUnit.MICROSECONDS.toNanos(schedule.nowMicros());
    }
}
