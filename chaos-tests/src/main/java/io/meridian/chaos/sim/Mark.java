package io.meridian.chaos.sim;

import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.usage.LimitWindow;

/** That a book of a region is to be reported, as its Redis keeps it: when it is due, and what changed since it was last taken. */
final class Mark {
    /** How soon it is due. */
    enum Due {
        CLEAN,
        LATER,
        NOW,
        CLAIMED
    }

    /** Which book: of which life, limit and window. */
    record Id(long life, LimitWindow limit) {}

    private static final long HEARTBEAT_MICROS = 1_000_000;
    /** How long one who takes a book has for reporting it. Nothing waits for longer. */
    static final long CLAIM_MICROS = 4_000_000;

    private static final long MATTERS_PART = 64;

    private Due due = Due.CLEAN;
    private long dueMicros = Long.MAX_VALUE;
    private long unreported;
    long ownLimit;

    Mark copied() {
        Mark copy = new Mark();
        copy.due = due;
        copy.dueMicros = dueMicros;
        copy.unreported = unreported;
        copy.ownLimit = ownLimit;
        return copy;
    }

    /** What seems to wait for longer than anything does was marked before the clock was set back. */
    boolean isDue(long nowMicros) {
        return due != Due.CLEAN && (dueMicros <= nowMicros || dueMicros > nowMicros + CLAIM_MICROS);
    }

    /** Something changed: it matters at once if it is more than a small share of what remains. */
    void changed(long units, long remaining, boolean urgent, long nowMicros) {
        unreported += units;
        mark(urgent || unreported * MATTERS_PART >= remaining, nowMicros);
    }

    private void mark(boolean now, long nowMicros) {
        Due wanted = now ? Due.NOW : Due.LATER;
        if (due.compareTo(wanted) < 0) {
            due = wanted;
            dueMicros = nowMicros + (now ? 0 : HEARTBEAT_MICROS);
        }
    }

    /** An instance takes it to report it, and has so long for that. */
    long claim(long nowMicros) {
        due = Due.CLAIMED;
        unreported = 0;
        dueMicros = nowMicros + CLAIM_MICROS;
        return dueMicros;
    }

    /** Kafka has what was taken with this claim. */
    void reported(long claim, long nowMicros) {
        if (due != Due.CLAIMED || dueMicros != claim) {
            unreported++;
            mark(true, nowMicros);
        } else if (unreported == 0) {
            due = Due.CLEAN;
            dueMicros = Long.MAX_VALUE;
        } else {
            due = Due.CLEAN;
            mark(true, nowMicros);
        }
    }

    static long claimOf(DueAccount book) {
        return Long.parseLong(book.handle());
    }
}
