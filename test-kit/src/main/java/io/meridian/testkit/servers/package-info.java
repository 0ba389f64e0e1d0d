/** Real PostgreSQL, Redis and Kafka for tests, which may break, freeze and restart them. */
@NullMarked
package io.meridian.testkit.servers;

import org.jspecify.annotations.NullMarked;
