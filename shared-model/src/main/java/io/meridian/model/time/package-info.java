/** Time, as an input. */
@NullMarked
package io.meridian.model.time;

import org.jspecify.annotations.NullMarked;
