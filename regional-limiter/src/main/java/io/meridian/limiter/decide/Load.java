package io.meridian.limiter.decide;

import java.util.Optional;

/** The port to the region's load as its callers report it. */
public interface Load {
    /** The load in percent, empty if none was reported lately. */
    Optional<Integer> percent();
}
