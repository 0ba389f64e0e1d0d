package io.meridian.config.database;

import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection to PostgreSQL, for as long as a piece of work lasts. */
public interface Session {
    /** Runs a statement with {@code $1}, {@code $2}, … bound to the arguments. */
    RowSet<Row> run(String sql, @Nullable Object... arguments);

    /** Runs a statement once per row of arguments, in one exchange. */
    void batch(String sql, List<Tuple> rows);
}
