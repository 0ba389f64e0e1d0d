/** What a limiter tells the centre, and what the centre asks of it: over Kafka, because nothing else crosses regions. */
@NullMarked
package io.meridian.limiter.report;

import org.jspecify.annotations.NullMarked;
