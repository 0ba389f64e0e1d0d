package io.meridian.config.database;

import io.meridian.config.database.Database.Session;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A database whose user dies at a point of its own choice: before any statement of a transaction, or just after the commit. */
public final class DyingDatabase extends Database {
    /** Nobody is left to go on. */
    public static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final int POINTS = 12;

    private final SplittableRandom random;
    private int left;

    public DyingDatabase(Pool pool, DatabaseConfig config, SplittableRandom random) {
        super(pool, config);
        this.random = random;
    }

    @Override
    public <T> T transaction(Function<Session, T> work) {
        left = random.nextInt(POINTS);
        T result = super.transaction(session -> work.apply(new Dying(session)));
        if (left == 0) {
            throw new Died();
        }
        return result;
    }

    private final class Dying implements Session {
        private final Session session;

        Dying(Session session) {
            this.session = session;
        }

        @Override
        public RowSet<Row> run(String sql, Object... arguments) {
            live();
            return session.run(sql, arguments);
        }

        @Override
        public void batch(String sql, List<Tuple> rows) {
            live();
            session.batch(sql, rows);
        }

        private void live() {
            if (left == 0) {
                throw new Died();
            }
            left--;
        }
    }
}
