package io.meridian.config.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A change that Kafka has yet to be told.
 *
 * @param value null where the entry was removed
 */
record Pending(
        long position, long revision, String key, @Nullable String value) {}
