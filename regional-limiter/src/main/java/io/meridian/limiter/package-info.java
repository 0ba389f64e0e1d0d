/** Wiring of a limiter, its settings on one page, and its start and stop: warm-up and the drain of its listener. */
@NullMarked
package io.meridian.limiter;

import org.jspecify.annotations.NullMarked;
