/** Callers: the access tokens that admit them, and the API key, user and address that a raw request comes from. */
@NullMarked
package io.meridian.limiter.caller;

import org.jspecify.annotations.NullMarked;
