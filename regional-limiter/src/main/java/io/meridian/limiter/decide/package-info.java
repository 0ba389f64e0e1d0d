/** How a check is decided: matched, spent from leases, acquired from the region, or answered from the fallback. */
@NullMarked
package io.meridian.limiter.decide;

import org.jspecify.annotations.NullMarked;
