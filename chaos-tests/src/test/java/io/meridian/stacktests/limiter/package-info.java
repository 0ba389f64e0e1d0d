/** Limiter processes on a real Redis: many clients, several instances, and a Redis that fails. */
@NullMarked
package io.meridian.stacktests.limiter;

import org.jspecify.annotations.NullMarked;
