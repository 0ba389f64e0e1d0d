/** A whole stack as operators observe it. */
@NullMarked
package io.meridian.chaos.operate;

import org.jspecify.annotations.NullMarked;
