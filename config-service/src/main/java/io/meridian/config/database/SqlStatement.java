package io.meridian.config.database;

import io.meridian.config.database.Database.Session;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builder of a statement from pieces of SQL; each {@code ?} of a piece is bound to the piece's next argument. */
public final class SqlStatement {
    private final StringBuilder sql = new StringBuilder();
    private final List<Object> arguments = new ArrayList<>();

    public static SqlStatement of(String piece, Object... values) {
        return new SqlStatement().add(piece, values);
    }

    public SqlStatement add(String piece, Object... values) {
        int next = 0;
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            if (c == '?') {
                arguments.add(values[next++]);
                sql.append('$').append(arguments.size());
            } else {
                sql.append(c);
            }
        }
        sql.append(' ');
        return this;
    }

    /** Adds the piece if the value is present. */
    public SqlStatement addIf(String piece, Optional<?> value) {
        return value.isPresent() ? add(piece, value.get()) : this;
    }

    public RowSet<Row> run(Session session) {
        return session.run(sql.toString(), arguments.toArray());
    }
}
