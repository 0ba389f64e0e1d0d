/** Clients of Kafka as all services run them: settings, the loop of a thread, readers, senders. */
@NullMarked
package io.meridian.service.kafka;

import org.jspecify.annotations.NullMarked;
