/** Local stack as a whole: its parts, their start, supervision and stop in order. */
@NullMarked
package io.meridian.stack;

import org.jspecify.annotations.NullMarked;
