/** What one limiter instance holds of its region's counters, and what it asks of them. */
@NullMarked
package io.meridian.model.lease;

import org.jspecify.annotations.NullMarked;

