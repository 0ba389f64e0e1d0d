package io.meridian.model.counter;

import io.meridian.model.algorithm.Outcome.Standing;
import org.jspecify.annotations.Nullable;

/**
 * Reply of a counter to one request.
 *
 * @param admitted whether the cost fits, whatever else is in the group
 * @param standing the counter afterwards
 * @param waitMicros how long an admitted request is paced, or after how long a refused one would fit
 * @param ahead what was taken to be spent later
 * @param untilMicros the first microsecond at which {@code ahead} may no longer be spent
 * @param globalUsage of a global limit; null of a regional one
 */
public record CounterReply(
        boolean admitted,
        Standing standing,
        long waitMicros,
        long ahead,
        long untilMicros,
        @Nullable GlobalUsage globalUsage) {
    public CounterReply(boolean admitted, Standing standing, long waitMicros, long ahead, long untilMicros) {
        this(admitted, standing, waitMicros, ahead, untilMicros, null);
    }

    /**
     * The region's view of a global limit in the current window.
     *
     * @param taken what this region took of the window
     * @param returned what of that was given back
     * @param usedElsewhere what the other regions used, as of the last verdict
     * @param grantAvailable in escrow, all that the region may spend: floor and grants, less what it gave back
     */
    public record GlobalUsage(long taken, long returned, long usedElsewhere, long grantAvailable) {
        /** Usage of this region. */
        public long own() {
            return taken - returned;
        }
    }
}
