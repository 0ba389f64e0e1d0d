package io.meridian.model.algorithm;

import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * Window of a limit. Windows are aligned in UTC: a span to multiples of its length since 1970, a month to the
 * calendar, so every region that knows the time knows the same window.
 */
public sealed interface Window {
    /** The first microsecond of the window that holds {@code nowMicros}. */
    long startMicros(long nowMicros);

    /** The first microsecond after the window that starts at {@code startMicros}. */
    long endMicros(long startMicros);

    /** Reads {@code 1s}, {@code 90s}, {@code 5m}, {@code 1h}, {@code 1d} or {@code month}. */
    static Window parse(String text) {
        return text.equals(Month.TEXT) ? new Month() : Span.parse(text);
    }

    /** A window of one length, from a second to 31 days. */
    record Span(long micros) implements Window {
        static final long MIN_SECONDS = 1;
        static final long MAX_SECONDS = TimeUnit.DAYS.toSeconds(31);

        public Span {
            long second = TimeUnit.SECONDS.toMicros(1);
            if (micros % second != 0 || micros < MIN_SECONDS * second || micros > MAX_SECONDS * second) {
                throw Validator.invalid("window", micros + " microseconds", "must be whole seconds from 1s to 31d");
            }
        }

        public static Span ofSeconds(long seconds) {
            return new Span(Math.multiplyExact(seconds, TimeUnit.SECONDS.toMicros(1)));
        }

        private static Span parse(String text) {
            int digits = text.length() - 1;
            if (digits < 1 || digits > 9 || !text.chars().limit(digits).allMatch(c -> c >= '0' && c <= '9')) {
                throw malformed(text);
            }
            long unitSeconds =
                    switch (text.charAt(digits)) {
                        case 's' -> 1;
                        case 'm' -> TimeUnit.MINUTES.toSeconds(1);
                        case 'h' -> TimeUnit.HOURS.toSeconds(1);
                        case 'd' -> TimeUnit.DAYS.toSeconds(1);
                        default -> throw malformed(text);
                    };
            long seconds = Long.parseLong(text.substring(0, digits)) * unitSeconds;
            if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
                throw Validator.invalid("window", text, "must be from 1s to 31d");
            }
            return ofSeconds(seconds);
        }

        private static ValidationException malformed(String text) {
            return Validator.invalid("window", text, "must be a number and s, m, h or d (90s, 5m, 1h, 1d), or month");
        }

        @Override
        public long startMicros(long nowMicros) {
            return nowMicros - Math.floorMod(nowMicros, micros);
        }

        @Override
        public long endMicros(long startMicros) {
            return startMicros + micros;
        }

        /** The form with the largest unit that divides the length, so that equal windows read the same. */
        @Override
        public String toString() {
            long seconds = TimeUnit.MICROSECONDS.toSeconds(micros);
            if (seconds % 86_400 == 0) {
                return seconds / 86_400 + "d";
            }
            if (seconds % 3_600 == 0) {
                return seconds / 3_600 + "h";
            }
            return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
        }
    }

    /** The calendar month, 28 to 31 days. */
    record Month() implements Window {
        static final String TEXT = "month";

        @Override
        public long startMicros(long nowMicros) {
            return micros(date(nowMicros).withDayOfMonth(1));
        }

        @Override
        public long endMicros(long startMicros) {
            return micros(date(startMicros).withDayOfMonth(1).plusMonths(1));
        }

        private static LocalDate date(long micros) {
            return LocalDate.ofEpochDay(Math.floorDiv(micros, TimeUnit.DAYS.toMicros(1)));
        }

        private static long micros(LocalDate date) {
            Instant midnight = date.atStartOfDay(ZoneOffset.UTC).toInstant();
            return TimeUnit.SECONDS.toMicros(midnight.getEpochSecond());
        }

        @Override
        public String toString() {
            return TEXT;
        }
    }
}
