/** Real PostgreSQL, Redis and Kafka, each a process of its own on this machine. */
@NullMarked
package io.meridian.stack.servers;

import org.jspecify.annotations.NullMarked;
