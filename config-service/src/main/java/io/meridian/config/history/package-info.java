/** History of usage and violations: intake from Kafka, daily partitions, queries by time range. */
@NullMarked
package io.meridian.config.history;

import org.jspecify.annotations.NullMarked;
