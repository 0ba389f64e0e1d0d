/** Operation of the service: readiness and metrics. */
@NullMarked
package io.meridian.config.ops;

import org.jspecify.annotations.NullMarked;
