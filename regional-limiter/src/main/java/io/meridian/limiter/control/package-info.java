/**
 * Exchange with config-service over Kafka: reports of the instance, answers to queries about clients, violations, and operations for the
 * audit trail.
 */
@NullMarked
package io.meridian.limiter.control;

import org.jspecify.annotations.NullMarked;
