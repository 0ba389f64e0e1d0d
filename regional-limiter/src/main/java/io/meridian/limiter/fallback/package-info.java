/** What decides while the region's counters are away. */
@NullMarked
package io.meridian.limiter.fallback;

import org.jspecify.annotations.NullMarked;
