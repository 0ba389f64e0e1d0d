/** The decision on a check: its limits, what leases cover of them, what the region or the fallback says, and what is recorded of it. */
@NullMarked
package io.meridian.limiter.decide;

import org.jspecify.annotations.NullMarked;
