/** Kafka clients of the services: settings, the loop of a thread, followers of topics, senders of records. */
@NullMarked
package io.meridian.service.kafka;

import org.jspecify.annotations.NullMarked;
