/** Envoy's rate limit service v3 over gRPC: descriptors to checks, results to answers, and the calls between. */
@NullMarked
package io.meridian.limiter.envoy;

import org.jspecify.annotations.NullMarked;
