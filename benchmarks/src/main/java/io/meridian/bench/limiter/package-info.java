/** The figures of the limiter: what a check costs beside the bare framework and beside a peer. */
@NullMarked
package io.meridian.bench.limiter;

import org.jspecify.annotations.NullMarked;
