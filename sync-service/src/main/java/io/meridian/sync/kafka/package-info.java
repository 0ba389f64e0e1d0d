/** Kafka adapter of a sync replica: its clients, group membership, reading, publishing, and its thread. */
@NullMarked
package io.meridian.sync.kafka;

import org.jspecify.annotations.NullMarked;
