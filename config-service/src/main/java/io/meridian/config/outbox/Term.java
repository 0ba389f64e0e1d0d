package io.meridian.config.outbox;

import io.meridian.config.outbox.PublisherLease.LostException;
import io.meridian.model.time.TimeSource;

/**
 * This replica's turn to publish. It ends unless it is renewed, so whatever takes long renews it on its way: two replicas that
 * each read a large topic for longer than a term would else take it from each other for ever, and nobody would publish.
 */
final class Term {
    private static final int RENEWALS = 3;

    private final PublisherLease lock;
    private final TimeSource time;
    private long renewedNanos;

    /** A term that was just begun. */
    Term(PublisherLease lock, TimeSource time) {
        this.lock = lock;
        this.time = time;
        this.renewedNanos = time.monotonicNanos();
    }

    /** Renews it if that is due; fails with {@link LostException} if it is another's by now. */
    void renew() {
        long nowNanos = time.monotonicNanos();
        if (nowNanos - renewedNanos < lock.term().toNanos() / RENEWALS) {
            return;
        }
        if (!lock.hold()) {
            throw new LostException();
        }
        renewedNanos = nowNanos;
    }
}
