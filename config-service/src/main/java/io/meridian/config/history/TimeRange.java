package io.meridian.config.history;

import io.meridian.config.store.Times;
import io.meridian.model.validation.Validator;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** From a time, inclusive, up to another, exclusive; no earlier than what is kept and no later than now. */
public record TimeRange(Instant from, Instant to) {
    private static final Duration DEFAULT = Duration.ofHours(1);

    /** The last hour unless told. What is not kept is left out, and the answer says from where on it speaks. */
    static TimeRange of(
            Optional<Instant> from, Optional<Instant> to, Instant now, Duration retention, ChronoUnit resolution) {
        Instant end = to.filter(now::isAfter).orElse(now);
        Instant oldest = now.minus(retention);
        if (to.isPresent() && !end.isAfter(oldest)) {
            throw Validator.invalid("to", to.get(), "must be within the " + retention.toDays() + " days that are kept");
        }
        Instant asked = from.orElseGet(() -> end.minus(DEFAULT));
        if (!asked.isBefore(end)) {
            throw Validator.invalid("from", asked, "must be before to, " + end);
        }
        Instant begin = asked.isBefore(oldest) ? oldest : asked;
        return new TimeRange(begin.truncatedTo(resolution), end);
    }

    Duration length() {
        return Duration.between(from, to);
    }

    OffsetDateTime fromTime() {
        return Times.toDatabase(from);
    }

    OffsetDateTime toTime() {
        return Times.toDatabase(to);
    }
}
