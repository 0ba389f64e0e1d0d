/** Counting algorithms: pure functions of state, quota, cost and time. */
@NullMarked
package io.meridian.model.algorithm;

import org.jspecify.annotations.NullMarked;
