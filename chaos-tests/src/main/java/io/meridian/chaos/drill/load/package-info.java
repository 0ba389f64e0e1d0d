/** Checks at their own times, whatever the regions answer, each known to the one who counts. */
@NullMarked
package io.meridian.chaos.drill.load;

import org.jspecify.annotations.NullMarked;
