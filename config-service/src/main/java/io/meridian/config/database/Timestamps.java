package io.meridian.config.database;

import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/**
 * Conversions between microseconds since 1970 (wire, TimeSource), Instant and PostgreSQL's timestamptz, which has
 * microseconds too.
 */
public final class Timestamps {
    public static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);

    private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);
    private static final long YEAR_9999_MICROS =
            TimeUnit.DAYS.toMicros(LocalDate.of(9999, 12, 31).toEpochDay());

    private Timestamps() {}

    public static OffsetDateTime toDatabase(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    public static OffsetDateTime toDatabase(long micros) {
        return toDatabase(ofMicros(micros));
    }

    public static Instant of(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    public static Instant ofMicros(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    public static long toMicros(OffsetDateTime time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant());
    }

    /** The begin of the minute. */
    public static long minute(long micros) {
        return micros - Math.floorMod(micros, MINUTE_MICROS);
    }

    /** The day in UTC. */
    public static LocalDate day(long micros) {
        return LocalDate.ofEpochDay(Math.floorDiv(micros, DAY_MICROS));
    }

    /** Whether the time lies between 1970 and 9999, so that it has a date in four digits whatever a record says. */
    public static boolean isPlausible(long micros) {
        return micros >= 0 && micros < YEAR_9999_MICROS;
    }
}
