package io.meridian.model.rules;

import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Time at which an entry expires by itself, with no message needed.
 *
 * @param micros the first microsecond at which it is no more
 */
public record Expiry(long micros) {
    /** Never. */
    public static final Expiry NEVER = new Expiry(Long.MAX_VALUE);

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    public Expiry {
        if (micros < 0) {
            throw Validator.invalid("expires_at", micros, "must be from 1970 to 9999");
        }
    }

    public static Expiry at(Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw Validator.invalid("expires_at", time, "must be from 1970 to 9999");
        }
        return new Expiry(
                TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano()));
    }

    /** Reads {@code 2026-01-15T11:00:00Z}. */
    public static Expiry parse(String text) {
        try {
            return at(Instant.parse(text));
        } catch (DateTimeParseException malformed) {
            throw Validator.invalid("expires_at", text, "must be an RFC 3339 time in UTC");
        }
    }

    /** The time, empty if it never comes. */
    public Optional<Instant> time() {
        return micros == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
