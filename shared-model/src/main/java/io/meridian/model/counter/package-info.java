/** Counters of a region: what a request does to them, as the region's scripts must do it. */
@NullMarked
package io.meridian.model.counter;

import org.jspecify.annotations.NullMarked;
