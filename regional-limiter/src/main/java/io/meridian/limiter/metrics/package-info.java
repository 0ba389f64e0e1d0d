/** What this instance counts of itself. A leaf: everybody may count, and it asks nobody. */
@NullMarked
package io.meridian.limiter.metrics;

import org.jspecify.annotations.NullMarked;
