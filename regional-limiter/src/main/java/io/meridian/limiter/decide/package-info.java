/** Decision on a check from its limits, leases, the region's counters or the fallback, and the records of a decision. */
@NullMarked
package io.meridian.limiter.decide;

import org.jspecify.annotations.NullMarked;
