/** Explanation of a check: which policies apply and why the others do not, the state of the limits, and the answer that limiters would give. */
@NullMarked
package io.meridian.config.explain;

import org.jspecify.annotations.NullMarked;
