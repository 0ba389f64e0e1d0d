package io.meridian.config.database;

import io.meridian.config.database.DatabaseUnavailableException.OutcomeUnknown;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, asked from worker threads: plain code within, every wait bounded. COMMIT is sent only after every statement
 * has answered, so whatever fails before it was not done.
 */
@Singleton
public class Database {
    private final Pool pool;
    private final Duration timeout;

    Database(Pool pool, DatabaseConfig config) {
        this.pool = pool;
        this.timeout = config.timeout();
    }

    /** Runs statements that stand for themselves. */
    public <T> T read(Function<Session, T> work) {
        return connected(connection -> work.apply(new Connected(connection, timeout)));
    }

    /** Runs statements that are done together or not at all. */
    public <T> T transaction(Function<Session, T> work) {
        return transaction(timeout, work);
    }

    /** The same for statements that take longer than others may. */
    public <T> T transaction(Duration patience, Function<Session, T> work) {
        return connected(connection -> {
            Session session = new Connected(connection, patience);
            boolean committed = false;
            try {
                session.run("BEGIN");
                if (patience.compareTo(timeout) > 0) {
                    session.run("SET LOCAL statement_timeout = " + patience.toMillis());
                }
                T result = work.apply(session);
                commit(session);
                committed = true;
                return result;
            } finally {
                if (!committed) {
                    rollback(connection);
                }
            }
        });
    }

    private static void commit(Session session) {
        try {
            session.run("COMMIT");
        } catch (DatabaseUnavailableException unanswered) {
            throw new OutcomeUnknown(unanswered);
        }
    }

    /**
     * Ends what was begun without waiting for it: a connection runs its commands in order, so whoever gets it next finds no
     * transaction, also where PostgreSQL has yet to answer.
     */
    private static void rollback(SqlConnection connection) {
        Cancellable unused = connection.query("ROLLBACK").execute().subscribe().with(done -> {}, broken -> {});
    }

    private <T> T connected(Function<SqlConnection, T> work) {
        SqlConnection connection = connection();
        try {
            return work.apply(connection);
        } finally {
            connection.closeAndForget();
        }
    }

    private SqlConnection connection() {
        CompletableFuture<SqlConnection> asked = pool.getConnection().subscribeAsCompletionStage();
        try {
            return Waits.await(asked, timeout);
        } catch (DatabaseUnavailableException away) {
            // One that comes too late goes back, or the pool would run dry.
            CompletableFuture<Void> unused = asked.thenAccept(SqlConnection::closeAndForget);
            throw away;
        }
    }

    private static final class Connected implements Session {
        private final SqlConnection connection;
        private final Duration timeout;

        Connected(SqlConnection connection, Duration timeout) {
            this.connection = connection;
            this.timeout = timeout;
        }

        @Override
        public RowSet<Row> run(String sql, @Nullable Object... arguments) {
            return Waits.await(
                    arguments.length == 0
                            ? connection.query(sql).execute()
                            : connection.preparedQuery(sql).execute(Tuple.tuple(Arrays.asList(arguments))),
                    timeout);
        }

        @Override
        public void batch(String sql, List<Tuple> rows) {
            if (!rows.isEmpty()) {
                RowSet<Row> unused = Waits.await(connection.preparedQuery(sql).executeBatch(rows), timeout);
            }
        }
    }
}
