/** What the service counts, by name. */
@NullMarked
package io.meridian.sync.metrics;

import org.jspecify.annotations.NullMarked;
