/** Metrics of the service, by name. */
@NullMarked
package io.meridian.sync.ops;

import org.jspecify.annotations.NullMarked;
