/** Adapter to Kafka: all clients of a replica, and the thread on which it runs. */
@NullMarked
package io.meridian.sync.kafka;

import org.jspecify.annotations.NullMarked;
