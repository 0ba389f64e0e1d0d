/** Proxies that break connections on request. */
@NullMarked
package io.meridian.stack.fault;

import org.jspecify.annotations.NullMarked;
