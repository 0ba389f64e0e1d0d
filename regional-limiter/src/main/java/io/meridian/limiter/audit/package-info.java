/** Tells Kafka of resets and refunds, for the audit trail of config-service. */
@NullMarked
package io.meridian.limiter.audit;

import org.jspecify.annotations.NullMarked;
