/** Benchmark programs that print figures of the pure core, and the policies that they share. */
@NullMarked
package io.meridian.bench;

import org.jspecify.annotations.NullMarked;
