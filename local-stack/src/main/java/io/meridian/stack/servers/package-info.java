/** Real PostgreSQL, Redis and Kafka, and the built services, each a process of its own on this machine. */
@NullMarked
package io.meridian.stack.servers;

import org.jspecify.annotations.NullMarked;
