/** Measurements of each reporting region: clock skew and loop delay. */
@NullMarked
package io.meridian.sync.regions;

import org.jspecify.annotations.NullMarked;
