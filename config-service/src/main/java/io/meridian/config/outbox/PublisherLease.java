package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import java.time.Duration;

/** Whose turn it is to publish: one replica's at a time, by a lease in the database and by the database's clock. */
record PublisherLease(Database database, String holder, Duration term) {
    /** Takes or renews the term, unless it is another's. */
    boolean hold() {
        return database.read(session -> session.run("""
                                UPDATE publisher_term SET holder = $1, ends_at = now() + $2::bigint * interval '1 millisecond'
                                WHERE holder = $1 OR ends_at < now()""", holder, term.toMillis()))
                        .rowCount()
                == 1;
    }

    /** Ends the term at once, so that another need not wait for it. */
    void release() {
        database.read(
                session -> session.run("UPDATE publisher_term SET ends_at = '-infinity' WHERE holder = $1", holder));
    }

    /** The turn to publish has become another replica's. */
    static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostException() {
            super("another replica publishes");
        }
    }
}
