/** What was used and refused: taken in from Kafka, kept by the day, asked for by time range, and replayed against drafts. */
@NullMarked
package io.meridian.config.history;

import org.jspecify.annotations.NullMarked;
