package io.meridian.config.store;

/** PostgreSQL gave up on a statement because it took longer than statements may. */
public final class QueryTooLong extends DatabaseAway {
    QueryTooLong(Throwable cause) {
        super("the statement took longer than it may", cause);
    }
}
