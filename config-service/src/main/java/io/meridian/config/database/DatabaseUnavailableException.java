package io.meridian.config.database;

import org.jspecify.annotations.Nullable;

/** PostgreSQL did not answer as it should, and nothing of what was asked was done. */
public class DatabaseUnavailableException extends RuntimeException {
    public DatabaseUnavailableException(String message) {
        super(message);
    }

    public DatabaseUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** PostgreSQL was told to commit and did not say whether it did. */
    public static final class OutcomeUnknown extends DatabaseUnavailableException {
        public OutcomeUnknown(Throwable cause) {
            super("PostgreSQL did not confirm the commit; whether the change was made shows when it is back", cause);
        }
    }

    /** PostgreSQL gave up on a statement because it took longer than statements may. */
    public static final class QueryTooLong extends DatabaseUnavailableException {
        QueryTooLong(Throwable cause) {
            super("the statement took longer than it may", cause);
        }
    }
}
