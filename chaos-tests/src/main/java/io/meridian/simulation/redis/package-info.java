/** Simulated Redis of a region: the pure counters behind the scripts, its data, and limiters' connections to it. */
@NullMarked
package io.meridian.simulation.redis;

import org.jspecify.annotations.NullMarked;
