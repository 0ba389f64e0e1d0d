package io.meridian.model.lease;

import io.meridian.model.algorithm.Outcome.Standing;

/**
 * What a counter answers to an ask.
 *
 * @param admitted whether the cost fits, whatever else is in the group
 * @param standing the counter afterwards
 * @param waitMicros how long an admitted request is paced, or after how long a refused one would fit
 * @param ahead what was taken to be spent later
 * @param untilMicros the first microsecond at which {@code ahead} may no longer be spent
 */
public record Told(boolean admitted, Standing standing, long waitMicros, long ahead, long untilMicros) {}
