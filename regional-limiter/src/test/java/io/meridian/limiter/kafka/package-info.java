/** Redis and Kafka that tests of the limiter share. */
@NullMarked
package io.meridian.limiter.kafka;

import org.jspecify.annotations.NullMarked;
