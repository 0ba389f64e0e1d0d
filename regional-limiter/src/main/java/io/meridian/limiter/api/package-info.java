/** HTTP resources of the limiter: checks, status, refund, reset, reservations, forward-auth and load. */
@NullMarked
package io.meridian.limiter.api;

import org.jspecify.annotations.NullMarked;
