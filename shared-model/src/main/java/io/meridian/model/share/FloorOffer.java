package io.meridian.model.share;

/**
 * Units of a limit in escrow that a region may spend without a grant, in windows that start within a range. The first ask of a window takes the
 * offer or, outside of the range, nothing; what comes later in that window changes nothing.
 */
public record FloorOffer(long units, long fromMicros, long untilMicros) {
    public static final FloorOffer NONE = new FloorOffer(0, 0, 0);

    /** The floor of a window that starts then. */
    long of(long startMicros) {
        return startMicros >= fromMicros && startMicros < untilMicros ? units : 0;
    }
}
