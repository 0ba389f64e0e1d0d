/** Global limits on a whole running stack, driven by counts. */
@NullMarked
package io.meridian.stacktests.global;

import org.jspecify.annotations.NullMarked;
