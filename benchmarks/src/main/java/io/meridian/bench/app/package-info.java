/** Measured application: the limiter, and in the same process the endpoints that it is compared to. */
@NullMarked
package io.meridian.bench.app;

import org.jspecify.annotations.NullMarked;
