/** Real PostgreSQL, Redis and Kafka, each a process of its own on this machine. */
@NullMarked
package io.meridian.stack.server;

import org.jspecify.annotations.NullMarked;
