/** What a leader's memory of limits costs. */
@NullMarked
package io.meridian.bench.aggregator;

import org.jspecify.annotations.NullMarked;
