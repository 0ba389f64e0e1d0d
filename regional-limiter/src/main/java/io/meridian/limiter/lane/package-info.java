/** Batching of the checks of one event loop into calls to the region's counters, with time budgets, over a transport as a port. */
@NullMarked
package io.meridian.limiter.lane;

import org.jspecify.annotations.NullMarked;
