/** Benchmark of the time from a change at the admin API to its effect in every region. */
@NullMarked
package io.meridian.bench.config;

import org.jspecify.annotations.NullMarked;
