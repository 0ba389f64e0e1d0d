/** Denials as events in Kafka: added up per limit and interval, bounded, never in the way of a decision. */
@NullMarked
package io.meridian.limiter.violation;

import org.jspecify.annotations.NullMarked;
