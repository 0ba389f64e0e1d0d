/** A load generator for HTTP on this machine: one thread, little work per request, so that it takes little from what it measures. */
@NullMarked
package io.meridian.bench.load;

import org.jspecify.annotations.NullMarked;
