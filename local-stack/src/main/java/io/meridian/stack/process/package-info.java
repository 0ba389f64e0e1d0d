/** Processes that never outlive whoever started them. */
@NullMarked
package io.meridian.stack.process;

import org.jspecify.annotations.NullMarked;
