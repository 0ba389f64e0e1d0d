package io.meridian.config.database;

import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants as PostgreSQL has them: in UTC, to the microsecond. */
public final class Timestamps {
    private Timestamps() {}

    public static OffsetDateTime toDatabase(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    public static Instant of(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    /** A wall time of {@code TimeSource}. */
    public static Instant ofMicros(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
