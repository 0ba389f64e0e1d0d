package io.meridian.config.history;

import io.meridian.config.database.Timestamps;
import io.meridian.model.validation.Validator;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Range of time, from inclusive to exclusive, within the retention and no later than now. */
public record TimeRange(Instant from, Instant to) {
    private static final Duration DEFAULT = Duration.ofHours(1);

    /** The last hour by default. A begin before the retention is moved to it; the answer states the range. */
    static TimeRange of(
            Optional<Instant> from, Optional<Instant> to, Instant now, Duration retention, ChronoUnit resolution) {
        Instant end = to.filter(now::isAfter).orElse(now);
        Instant oldest = now.minus(retention);
        if (to.isPresent() && !end.isAfter(oldest)) {
            throw Validator.invalid("to", to.get(), "must be within the " + retention.toDays() + " days that are kept");
        }
        Instant requested = from.orElseGet(() -> end.minus(DEFAULT));
        if (!requested.isBefore(end)) {
            throw Validator.invalid("from", requested, "must be before to, " + end);
        }
        Instant begin = requested.isBefore(oldest) ? oldest : requested;
        return new TimeRange(begin.truncatedTo(resolution), end);
    }

    Duration length() {
        return Duration.between(from, to);
    }

    OffsetDateTime fromTime() {
        return Timestamps.toDatabase(from);
    }

    OffsetDateTime toTime() {
        return Timestamps.toDatabase(to);
    }
}
