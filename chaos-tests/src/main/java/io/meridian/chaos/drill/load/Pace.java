package io.meridian.chaos.drill.load;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** When the requests of one region are due: evenly, at a rate that may change at any time. */
public final class Pace implements Timetable {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private double perSecond;
    /** In nanoseconds with their fractions, which would add up to a wrong rate. */
    private double nextNanos = Double.POSITIVE_INFINITY;

    /** At this rate from that time on. */
    public static Pace at(double perSecond, long nowNanos) {
        Pace pace = new Pace();
        pace.change(perSecond, nowNanos);
        return pace;
    }

    /**
     * From now on at this rate, 0 for none.
     *
     * @param nowNanos since the start of the load
     */
    public synchronized void change(double toPerSecond, long nowNanos) {
        if (!(toPerSecond >= 0)) {
            throw new IllegalArgumentException("rate must not be negative, got " + toPerSecond);
        }
        // The part of the way to the next request that lies behind stays behind.
        double left = perSecond > 0 ? Math.max(0, nextNanos - nowNanos) * perSecond / NANOS_PER_SECOND : 1;
        perSecond = toPerSecond;
        nextNanos = perSecond > 0 ? nowNanos + left * NANOS_PER_SECOND / perSecond : Double.POSITIVE_INFINITY;
    }

    /** Whether a request is due; if so, the next one is to be asked for. */
    public boolean take(long nowNanos) {
        return takeDue(nowNanos).isPresent();
    }

    @Override
    public OptionalLong takeDue(long nowNanos, long wallMicros) {
        return takeDue(nowNanos);
    }

    /** When a request was due, if one is by now; then the next one is to be asked for. */
    public synchronized OptionalLong takeDue(long nowNanos) {
        if (nextNanos > nowNanos) {
            return OptionalLong.empty();
        }
        long dueNanos = (long) nextNanos;
        nextNanos += NANOS_PER_SECOND / perSecond;
        return OptionalLong.of(dueNanos);
    }
}
