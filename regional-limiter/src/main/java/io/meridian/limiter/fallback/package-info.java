/** Limiter in memory that decides while the region's counters do not answer, and charges the region afterwards. */
@NullMarked
package io.meridian.limiter.fallback;

import org.jspecify.annotations.NullMarked;
