/** Benchmark of a check, relative to the bare framework and to a peer. */
@NullMarked
package io.meridian.bench.limiter;

import org.jspecify.annotations.NullMarked;
