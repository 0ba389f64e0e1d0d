package io.meridian.config.history;

import io.meridian.config.database.SqlStatement;
import java.util.Optional;

/** Filter of recorded usage or violations. */
public record HistoryFilter(TimeRange range, Optional<String> policy, Optional<String> key, Optional<String> region) {
    /** Adds the filter as the WHERE clause of a statement. */
    SqlStatement addTo(SqlStatement statement, String timeColumn) {
        return statement
                .add("WHERE " + timeColumn + " >= ? AND " + timeColumn + " < ?", range.fromTime(), range.toTime())
                .addIf("AND policy = ?", policy)
                .addIf("AND key = ?", key)
                .addIf("AND region = ?", region);
    }
}
