/** Everything but the check itself that callers ask for: status, refund, reset, reservations, request ids, load. */
@NullMarked
package io.meridian.limiter.operations;

import org.jspecify.annotations.NullMarked;
