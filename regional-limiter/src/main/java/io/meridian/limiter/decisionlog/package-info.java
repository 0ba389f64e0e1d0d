/** A sample of decisions as JSON lines in the instance's log: bounded, never in the way of a decision. */
@NullMarked
package io.meridian.limiter.decisionlog;

import org.jspecify.annotations.NullMarked;
