package io.meridian.config.store;

import org.jspecify.annotations.Nullable;

/** PostgreSQL did not answer as it should, and nothing of what was asked was done. */
public class DatabaseAway extends RuntimeException {
    public DatabaseAway(String message) {
        super(message);
    }

    public DatabaseAway(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
