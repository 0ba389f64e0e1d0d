package io.meridian.config.store;

/** PostgreSQL was told to commit and did not say whether it did. */
public final class OutcomeUnknown extends DatabaseAway {
    public OutcomeUnknown(Throwable cause) {
        super("PostgreSQL did not confirm the commit; whether the change was made shows when it is back", cause);
    }
}
