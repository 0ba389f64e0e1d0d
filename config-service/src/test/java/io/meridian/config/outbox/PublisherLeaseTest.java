package io.meridian.config.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.config.outbox.PublisherLease.LostException;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lease of the publisher. Time passes as the test says: for the replica by its clock, for the database by the end of the lease. */
@ExtendWith(OutboxServers.class)
@Timeout(900)
class PublisherLeaseTest {
    /** So long that the machine's own time does not matter. */
    private static final Duration LEASE = Duration.ofDays(3);

    private static final Duration RENEWAL = LEASE.dividedBy(3);

    private final OutboxStand stand;
    private final PublisherLease ours;
    private final PublisherLease theirs;
    private long nowNanos;

    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMicros() {
            throw new IllegalStateException("a lease is measured by the monotonic clock");
        }

        @Override
        public long monotonicNanos() {
            return nowNanos;
        }
    };

    PublisherLeaseTest(OutboxStand stand) {
        this.stand = stand;
        ours = new PublisherLease(stand.database(), "ours", LEASE, time);
        theirs = new PublisherLease(stand.database(), "theirs", LEASE, time);
    }

    @AfterEach
    void release() {
        ours.release();
        theirs.release();
    }

    @Test
    void work_that_outlasts_the_lease_keeps_it_by_renewing_it_on_the_way() {
        assertThat(ours.hold()).isTrue();

        for (int renewal = 0; renewal < 6; renewal++) {
            pass(RENEWAL);
            ours.renew();
            assertThat(theirs.hold()).isFalse();
        }
    }

    @Test
    void a_replica_that_did_not_renew_in_time_finds_out() {
        assertThat(ours.hold()).isTrue();

        pass(LEASE.minusHours(1));
        assertThat(theirs.hold()).isFalse();
        pass(Duration.ofHours(2));
        assertThat(theirs.hold()).isTrue();

        assertThatThrownBy(ours::renew).isInstanceOf(LostException.class);
    }

    private void pass(Duration passed) {
        nowNanos += passed.toNanos();
        stand.database()
                .read(session -> session.run(
                        "UPDATE publisher_term SET ends_at = ends_at - $1::bigint * interval '1 second'",
                        passed.toSeconds()));
    }
}
