/** How a limit counts: pure functions of state, terms, cost and time. */
@NullMarked
package io.meridian.model.algorithm;

import org.jspecify.annotations.NullMarked;

