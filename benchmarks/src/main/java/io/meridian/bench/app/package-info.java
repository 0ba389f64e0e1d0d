/** The measured application: the limiter, and beside it, in the same process, what it is compared to. */
@NullMarked
package io.meridian.bench.app;

import org.jspecify.annotations.NullMarked;
