/** What the service counts, by name. */
@NullMarked
package io.meridian.config.metrics;

import org.jspecify.annotations.NullMarked;
