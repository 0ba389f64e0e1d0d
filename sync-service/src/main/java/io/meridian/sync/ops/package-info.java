/** Metrics of a sync replica, with their names. */
@NullMarked
package io.meridian.sync.ops;

import org.jspecify.annotations.NullMarked;
