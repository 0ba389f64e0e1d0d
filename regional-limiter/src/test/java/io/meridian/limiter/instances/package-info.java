/** Tests of several limiter processes on one Redis, also over TLS. */
@NullMarked
package io.meridian.limiter.instances;

import org.jspecify.annotations.NullMarked;
