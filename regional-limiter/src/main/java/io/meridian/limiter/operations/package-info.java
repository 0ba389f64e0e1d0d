/** Operations beside the decision: the limiter behind the API, status, refund, reset, reservations, request ids, load, and periodic upkeep. */
@NullMarked
package io.meridian.limiter.operations;

import org.jspecify.annotations.NullMarked;
