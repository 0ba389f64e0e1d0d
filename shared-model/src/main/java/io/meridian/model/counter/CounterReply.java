package io.meridian.model.counter;

import io.meridian.model.algorithm.Outcome.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What a counter answers to an ask.
 *
 * @param admitted whether the cost fits, whatever else is in the group
 * @param standing the counter afterwards
 * @param waitMicros how long an admitted request is paced, or after how long a refused one would fit
 * @param ahead what was taken to be spent later
 * @param untilMicros the first microsecond at which {@code ahead} may no longer be spent
 * @param shared of a limit that regions share
 */
public record CounterReply(
        boolean admitted,
        Standing standing,
        long waitMicros,
        long ahead,
        long untilMicros,
        @Nullable Shared shared) {
    public CounterReply(boolean admitted, Standing standing, long waitMicros, long ahead, long untilMicros) {
        this(admitted, standing, waitMicros, ahead, untilMicros, null);
    }

    /**
     * What the region knows of a limit that regions share.
     *
     * @param taken what this region took of the window
     * @param returned what of that was given back
     * @param elsewhere what it was told that the others used
     * @param held in escrow, what it was granted and has not given back
     */
    public record Shared(long taken, long returned, long elsewhere, long held) {
        /** What this region used. */
        public long own() {
            return taken - returned;
        }
    }
}
