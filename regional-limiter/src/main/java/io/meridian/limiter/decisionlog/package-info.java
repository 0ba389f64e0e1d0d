/** Bounded sample of decisions as JSON lines in the instance's log. */
@NullMarked
package io.meridian.limiter.decisionlog;

import org.jspecify.annotations.NullMarked;
