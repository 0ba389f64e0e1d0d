package io.meridian.config.database;

import org.jspecify.annotations.Nullable;

/** Failure of PostgreSQL to answer as expected; nothing of the unit of work was done. */
public class DatabaseUnavailableException extends RuntimeException {
    public DatabaseUnavailableException(String message) {
        super(message);
    }

    public DatabaseUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Missing confirmation of a COMMIT that was sent: the transaction may or may not have been committed. */
    public static final class OutcomeUnknown extends DatabaseUnavailableException {
        public OutcomeUnknown(Throwable cause) {
            super("PostgreSQL did not confirm the commit; whether the change was made shows when it is back", cause);
        }
    }

    /** Cancellation of a statement by PostgreSQL's statement timeout. */
    public static final class QueryTooLong extends DatabaseUnavailableException {
        QueryTooLong(Throwable cause) {
            super("the statement took longer than it may", cause);
        }
    }
}
