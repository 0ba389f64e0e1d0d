/** The region's counters in its Redis: their keys, and the script that counts. */
@NullMarked
package io.meridian.limiter.redis;

import org.jspecify.annotations.NullMarked;
