package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import io.meridian.model.time.TimeSource;
import java.time.Duration;

/**
 * Lease under which one replica publishes, a row in PostgreSQL measured by PostgreSQL's clock. Used by one thread.
 *
 * <p>Work that may outlast the lease calls {@link #renew} on its way. Otherwise two replicas that each read a large topic for
 * longer than a lease would take it from each other for ever, and neither would publish.
 */
final class PublisherLease {
    /** Renewals in the duration of a lease. */
    private static final int RENEWALS = 3;

    private final Database database;
    private final String holder;
    private final Duration duration;
    private final TimeSource time;
    private long renewedNanos;

    PublisherLease(Database database, String holder, Duration duration, TimeSource time) {
        this.database = database;
        this.holder = holder;
        this.duration = duration;
        this.time = time;
    }

    /** Acquires or renews the lease; false while another replica holds it. */
    boolean hold() {
        long nowNanos = time.monotonicNanos();
        boolean held = database.read(session -> session.run("""
                                UPDATE publisher_term SET holder = $1, ends_at = now() + $2::bigint * interval '1 millisecond'
                                WHERE holder = $1 OR ends_at < now()""", holder, duration.toMillis()))
                        .rowCount()
                == 1;
        if (held) {
            renewedNanos = nowNanos;
        }
        return held;
    }

    /** Renews the lease if a third of its duration has passed; fails with {@link LostException} if another replica holds it. */
    void renew() {
        if (time.monotonicNanos() - renewedNanos >= duration.toNanos() / RENEWALS && !hold()) {
            throw new LostException();
        }
    }

    /** Ends the lease at once, so that another replica need not wait for it. */
    void release() {
        database.read(
                session -> session.run("UPDATE publisher_term SET ends_at = '-infinity' WHERE holder = $1", holder));
    }

    /** Loss of the lease to another replica. */
    static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostException() {
            super("another replica publishes");
        }
    }
}
