package io.meridian.model.lease;

/**
 * How much of a limit is asked for within a horizon: a sum in which the past fades exponentially, by the horizon itself. A
 * few requests within it make a key hot.
 */
final class Demand {
    /** From so many times its own cost within a horizon on, a request leases ahead. */
    private static final double HOT = 3;

    private double units;
    private long atMicros;

    void note(long cost, long horizonMicros, long nowMicros) {
        if (horizonMicros == 0) {
            return;
        }
        double faded = Math.max(0, nowMicros - atMicros) / (double) horizonMicros;
        units = units * Math.exp(-faded) + cost;
        atMicros = nowMicros;
    }

    long ahead(long cost) {
        return units >= HOT * cost ? (long) units : 0;
    }
}
