/** The Java client of the limiter: remote, batched and leased checks, without a framework. */
@NullMarked
package io.meridian.client;

import org.jspecify.annotations.NullMarked;
