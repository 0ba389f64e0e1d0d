/** Metrics of a client for Micrometer. */
@NullMarked
package io.meridian.client.metrics;

import org.jspecify.annotations.NullMarked;
