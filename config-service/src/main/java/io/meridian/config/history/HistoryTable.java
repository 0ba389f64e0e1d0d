package io.meridian.config.history;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The tables with a partition per day. */
enum HistoryTable {
    USAGE_HISTORY,
    VIOLATION;

    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

    String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The partition of one day: {@code violation_20260131}. */
    String partition(LocalDate day) {
        return sqlName() + "_" + DAY.format(day);
    }

    /** The day of the partition with this name. */
    LocalDate day(String partition) {
        return LocalDate.parse(partition.substring(sqlName().length() + 1), DAY);
    }
}
