/** A config service that is killed, and one whose PostgreSQL or Kafka is away. */
@NullMarked
package io.meridian.stacktests.config;

import org.jspecify.annotations.NullMarked;
