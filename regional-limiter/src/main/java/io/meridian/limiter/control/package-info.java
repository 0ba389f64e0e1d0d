/** What a limiter tells config-service, and what config-service asks of it: over Kafka, because nothing else crosses regions. */
@NullMarked
package io.meridian.limiter.control;

import org.jspecify.annotations.NullMarked;
