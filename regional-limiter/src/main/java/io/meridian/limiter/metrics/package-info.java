/** Meters of a limiter, with their names and bounded tags; a leaf that depends on no other package of the limiter. */
@NullMarked
package io.meridian.limiter.metrics;

import org.jspecify.annotations.NullMarked;
