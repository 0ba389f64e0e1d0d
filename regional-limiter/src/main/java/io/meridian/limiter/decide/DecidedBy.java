package io.meridian.limiter.decide;

import java.util.Locale;

/** What decided a limit. */
public enum DecidedBy {
    /** A lease in this instance's memory, or a denial it remembers. */
    LEASE,
    /** The region's counter. */
    REGION,
    /** The usage of the whole world. */
    GLOBAL,
    /** This instance alone, because the region's counters were away. */
    FALLBACK;

    /** The name in answers. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
