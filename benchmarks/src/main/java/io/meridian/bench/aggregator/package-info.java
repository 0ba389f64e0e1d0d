/** Benchmark of the memory of a leader by number of limits. */
@NullMarked
package io.meridian.bench.aggregator;

import org.jspecify.annotations.NullMarked;
