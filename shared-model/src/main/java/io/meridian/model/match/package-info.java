/** Matching: the limits of a check, and the shards and names of their counters. */
@NullMarked
package io.meridian.model.match;

import org.jspecify.annotations.NullMarked;
