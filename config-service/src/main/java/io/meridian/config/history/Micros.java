package io.meridian.config.history;

import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/** Times as the wire has them, microseconds since 1970, and as PostgreSQL has them. */
public final class Micros {
    public static final long MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final long DAY = TimeUnit.DAYS.toMicros(1);
    /** What has a date in four digits, so that whatever a record says can be told. */
    private static final long YEARS_MAX =
            TimeUnit.DAYS.toMicros(LocalDate.of(9999, 12, 31).toEpochDay());

    private Micros() {}

    static boolean isPlausible(long micros) {
        return micros >= 0 && micros < YEARS_MAX;
    }

    static LocalDate day(long micros) {
        return LocalDate.ofEpochDay(Math.floorDiv(micros, DAY));
    }

    public static long minute(long micros) {
        return micros - Math.floorMod(micros, MINUTE);
    }

    public static OffsetDateTime time(long micros) {
        long second = TimeUnit.SECONDS.toMicros(1);
        return OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)
                .plusSeconds(Math.floorDiv(micros, second))
                .plusNanos(TimeUnit.MICROSECONDS.toNanos(Math.floorMod(micros, second)));
    }

    public static long of(OffsetDateTime time) {
        return TimeUnit.SECONDS.toMicros(time.toEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }
}
