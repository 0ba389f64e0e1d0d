package io.meridian.config.database;

import io.meridian.config.database.DatabaseUnavailableException.OutcomeUnknown;
import io.meridian.config.database.DatabaseUnavailableException.QueryTooLong;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocking access to PostgreSQL for worker threads; every wait is bounded. COMMIT is sent only after every statement has
 * answered, so a transaction that fails before its COMMIT has changed nothing.
 */
@Singleton
public class Database {
    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    /** Classes of SQL states that say nothing about the statement: connection, resources, operator, system. */
    private static final String UNAVAILABLE_CLASSES = "08 53 55 57 58 25";

    private final Pool pool;
    private final Duration timeout;

    Database(Pool pool, DatabaseConfig config) {
        this.pool = pool;
        this.timeout = config.timeout();
    }

    /** Runs statements outside a transaction: each commits by itself. */
    public <T> T read(Function<Session, T> work) {
        return connected(connection -> work.apply(new PooledSession(connection, timeout)));
    }

    /** Runs statements in one transaction. */
    public <T> T transaction(Function<Session, T> work) {
        return transaction(timeout, work);
    }

    /** Runs statements in one transaction with a longer statement timeout. */
    public <T> T transaction(Duration statementTimeout, Function<Session, T> work) {
        return connected(connection -> {
            Session session = new PooledSession(connection, statementTimeout);
            boolean committed = false;
            try {
                session.run("BEGIN");
                if (statementTimeout.compareTo(timeout) > 0) {
                    session.run("SET LOCAL statement_timeout = " + statementTimeout.toMillis());
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
     * Sends ROLLBACK without waiting for its answer. A connection runs its commands in order, so its next user finds no open
     * transaction even while PostgreSQL has yet to answer.
     */
    private static void rollback(SqlConnection connection) {
        Cancellable unused = connection.query("ROLLBACK").execute().subscribe().with(done -> {}, failure -> {});
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
        CompletableFuture<SqlConnection> requested = pool.getConnection().subscribeAsCompletionStage();
        try {
            return await(requested, timeout);
        } catch (DatabaseUnavailableException unavailable) {
            // A connection that arrives after the timeout goes back, or the pool would run dry.
            CompletableFuture<Void> unused = requested.thenAccept(SqlConnection::closeAndForget);
            throw unavailable;
        }
    }

    private static <T> T await(CompletableFuture<T> answer, Duration timeout) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new DatabaseUnavailableException(
                    "PostgreSQL did not answer within " + timeout.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatabaseUnavailableException("interrupted while waiting for PostgreSQL", interrupted);
        } catch (ExecutionException failed) {
            throw translated(failed.getCause());
        }
    }

    /**
     * An error in a statement stays a PgException, which is a defect of this service; everything else means that PostgreSQL
     * is unavailable.
     */
    private static RuntimeException translated(@Nullable Throwable cause) {
        if (!(cause instanceof PgException refused)) {
            return new DatabaseUnavailableException("PostgreSQL cannot be reached: " + cause, cause);
        }
        String state = String.valueOf(refused.getSqlState());
        if (state.equals(QUERY_CANCELED)) {
            return new QueryTooLong(refused);
        }
        if (state.equals(LOCK_NOT_AVAILABLE)) {
            return new DatabaseUnavailableException("another change takes long; try again", refused);
        }
        boolean unavailable = state.length() == 5 && UNAVAILABLE_CLASSES.contains(state.substring(0, 2));
        return unavailable
                ? new DatabaseUnavailableException("PostgreSQL refuses: " + refused.getErrorMessage(), refused)
                : refused;
    }

    /** One connection to PostgreSQL for the duration of a unit of work. */
    public interface Session {
        /** Runs a statement with {@code $1}, {@code $2}, … bound to the arguments. */
        RowSet<Row> run(String sql, @Nullable Object... arguments);

        /** Runs a statement once per row of arguments, in one exchange. */
        void batch(String sql, List<Tuple> rows);
    }

    private static final class PooledSession implements Session {
        private final SqlConnection connection;
        private final Duration timeout;

        PooledSession(SqlConnection connection, Duration timeout) {
            this.connection = connection;
            this.timeout = timeout;
        }

        @Override
        public RowSet<Row> run(String sql, @Nullable Object... arguments) {
            return await(
                    arguments.length == 0
                            ? connection.query(sql).execute()
                            : connection.preparedQuery(sql).execute(Tuple.tuple(Arrays.asList(arguments))));
        }

        @Override
        public void batch(String sql, List<Tuple> rows) {
            if (!rows.isEmpty()) {
                RowSet<Row> unused = await(connection.preparedQuery(sql).executeBatch(rows));
            }
        }

        private <T> T await(Uni<T> answer) {
            return Database.await(answer.subscribeAsCompletionStage(), timeout);
        }
    }
}
