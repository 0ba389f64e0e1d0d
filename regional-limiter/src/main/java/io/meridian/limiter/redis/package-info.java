/** Counters, accounts and incarnation of a region in its Redis: scripts, keys, connections, circuit breaker and reconciliation. */
@NullMarked
package io.meridian.limiter.redis;

import org.jspecify.annotations.NullMarked;
