package io.meridian.simulation.world;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;

/** Clock of one machine: its wall time may step and drift, its monotonic time does not. */
public final class SimClock implements TimeSource {
    private static final long PER_MILLION = 1_000_000;

    private final SimSchedule schedule;
    private long offsetMicros;
    private long driftPpm;
    private long sinceMicros;
    private long setMicros;
    private long setBackMicros;

    public SimClock(SimSchedule schedule) {
        this.schedule = schedule;
        this.sinceMicros = schedule.nowMicros();
    }

    /** Sets its offset, and its drift in parts per million. */
    public void set(long offMicros, long ppm) {
        if (offMicros < offMicros()) {
            setBackMicros = schedule.nowMicros();
        }
        offsetMicros = offMicros;
        driftPpm = ppm;
        sinceMicros = schedule.nowMicros();
        setMicros = sinceMicros;
    }

    /** Time when it was last set; 0 if never. */
    public long setMicros() {
        return setMicros;
    }

    /** Time when it was last set back; 0 if never. */
    long setBackMicros() {
        return setBackMicros;
    }

    boolean isDrifting() {
        return driftPpm != 0;
    }

    public long offMicros() {
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
