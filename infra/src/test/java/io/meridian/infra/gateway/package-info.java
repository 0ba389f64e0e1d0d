/** Tests of the gateway configurations: real gateways in front of a real limiter and a toy API. */
@NullMarked
package io.meridian.infra.gateway;

import org.jspecify.annotations.NullMarked;
