package io.meridian.config.database;

import io.meridian.config.database.DatabaseUnavailableException.QueryTooLong;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Bounded waiting for what the reactive client promises. */
final class Waits {
    private static final String CANCELED = "57014";
    private static final String LOCKED = "55P03";
    /** Classes of SQL states that say nothing about the statement: connection, resources, operator, system. */
    private static final String AWAY_CLASSES = "08 53 55 57 58 25";

    private Waits() {}

    static <T> T await(Uni<T> answer, Duration timeout) {
        return await(answer.subscribeAsCompletionStage(), timeout);
    }

    static <T> T await(CompletableFuture<T> answer, Duration timeout) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new DatabaseUnavailableException("PostgreSQL did not answer within " + timeout.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatabaseUnavailableException("interrupted while PostgreSQL was waited for", interrupted);
        } catch (ExecutionException failed) {
            throw translated(failed.getCause());
        }
    }

    /** What is wrong with a statement is a fault of ours; all else is PostgreSQL's. */
    private static RuntimeException translated(@Nullable Throwable cause) {
        if (!(cause instanceof PgException refused)) {
            return new DatabaseUnavailableException("PostgreSQL cannot be reached: " + cause, cause);
        }
        String state = String.valueOf(refused.getSqlState());
        if (state.equals(CANCELED)) {
            return new QueryTooLong(refused);
        }
        if (state.equals(LOCKED)) {
            return new DatabaseUnavailableException("another change takes long; try again", refused);
        }
        boolean away = state.length() == 5 && AWAY_CLASSES.contains(state.substring(0, 2));
        return away ? new DatabaseUnavailableException("PostgreSQL refuses: " + refused.getErrorMessage(), refused) : refused;
    }
}
