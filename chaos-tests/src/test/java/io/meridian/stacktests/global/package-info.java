/** Global limits on a whole running stack, driven by counts. */
@NullMarked
package io.meridian.chaos.global;

import org.jspecify.annotations.NullMarked;
