/** Resources of the API: each parses a call, asks the limiter, and answers. */
@NullMarked
package io.meridian.limiter.api;

import org.jspecify.annotations.NullMarked;
