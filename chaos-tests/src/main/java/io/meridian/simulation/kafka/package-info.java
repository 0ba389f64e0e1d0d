/** Simulated Kafka: usage log, transactional verdict log, consumer group, fetches and producers. */
@NullMarked
package io.meridian.simulation.kafka;

import org.jspecify.annotations.NullMarked;
