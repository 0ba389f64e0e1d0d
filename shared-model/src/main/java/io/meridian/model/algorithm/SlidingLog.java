package io.meridian.model.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * Log of units and the times at which they were taken, oldest first: a persistent queue of two linked lists, so that adding and expiring cost O(1)
 * amortised and every earlier state stays valid. What is taken at one time shares an entry.
 */
public final class SlidingLog implements CounterState {
    static final SlidingLog EMPTY = new SlidingLog(null, null, 0, Long.MIN_VALUE, Long.MIN_VALUE);

    private final @Nullable Entry oldest;
    private final @Nullable Entry newest;
    private final long used;
    private final long newestMicros;
    private final long seenMicros;

    private SlidingLog(@Nullable Entry oldest, @Nullable Entry newest, long used, long newestMicros, long seenMicros) {
        this.oldest = oldest;
        this.newest = newest;
        this.used = used;
        this.newestMicros = newestMicros;
        this.seenMicros = seenMicros;
    }

    /** A run of the queue: {@code oldest} leads to later entries, {@code newest} to earlier ones. */
    private record Entry(long atMicros, long cost, @Nullable Entry next) {}

    /** The log of {@code state}, which has now seen {@code nowMicros}. */
    static SlidingLog at(CounterState state, long nowMicros) {
        SlidingLog log = state instanceof SlidingLog taken ? taken : EMPTY;
        return nowMicros <= log.seenMicros
                ? log
                : new SlidingLog(log.oldest, log.newest, log.used, log.newestMicros, nowMicros);
    }

    long used() {
        return used;
    }

    /** The latest time at which it was asked, whatever it answered. */
    long seenMicros() {
        return seenMicros;
    }

    /** The latest time under which something is remembered. */
    long newestMicros() {
        return newestMicros;
    }

    /** How many times it remembers. */
    int entries() {
        int entries = 0;
        for (Entry entry = oldest; entry != null; entry = entry.next) {
            entries++;
        }
        for (Entry entry = newest; entry != null; entry = entry.next) {
            entries++;
        }
        return entries;
    }

    /** The log without what was taken at or before {@code untilMicros}. */
    SlidingLog expire(long untilMicros) {
        SlidingLog log = this;
        while (log.used > 0) {
            log = log.turned();
            Entry first = log.oldest;
            if (first == null || first.atMicros > untilMicros) {
                break;
            }
            log = new SlidingLog(first.next, log.newest, log.used - first.cost, newestMicros, seenMicros);
        }
        return log;
    }

    SlidingLog add(long atMicros, long cost) {
        if (cost == 0) {
            return this;
        }
        if (newest == null || newest.atMicros != atMicros) {
            return push(atMicros, cost);
        }
        Entry entry = new Entry(atMicros, newest.cost + cost, newest.next);
        return new SlidingLog(oldest, entry, used + cost, atMicros, seenMicros);
    }

    private SlidingLog push(long atMicros, long cost) {
        return new SlidingLog(oldest, new Entry(atMicros, cost, newest), used + cost, atMicros, seenMicros);
    }

    /**
     * The log with {@code cost} more at a time not before the newest entry's, in sub-windows of {@code lengthMicros}: one entry
     * of each that is over, as late as its latest; of the last one more for what is taken ahead, so that what was spent already is
     * not remembered as of a later time. What follows in that sub-window joins its newest entry.
     */
    SlidingLog addWithin(long lengthMicros, long atMicros, long cost, boolean ahead) {
        if (cost == 0) {
            return this;
        }
        if (used == 0) {
            return new SlidingLog(null, new Entry(atMicros, cost, null), cost, atMicros, seenMicros);
        }
        SlidingLog log = withNewestTwo();
        Entry last = log.newest;
        if (last == null) {
            throw new IllegalStateException("a log that counts " + used + " has no entry");
        }
        Entry before = last.next;
        long startMicros = atMicros - Math.floorMod(atMicros, lengthMicros);
        Entry entry;
        if (last.atMicros < startMicros) {
            long closedMicros = last.atMicros - Math.floorMod(last.atMicros, lengthMicros);
            Entry closed = before != null && before.atMicros >= closedMicros
                    ? new Entry(last.atMicros, before.cost + last.cost, before.next)
                    : last;
            entry = new Entry(atMicros, cost, closed);
        } else if (ahead && (before == null || before.atMicros < startMicros)) {
            entry = new Entry(atMicros, cost, last);
        } else {
            entry = new Entry(atMicros, last.cost + cost, before);
        }
        return new SlidingLog(log.oldest, entry, used + cost, atMicros, seenMicros);
    }

    /** The same log with its two newest entries, if it has two, on the side of the newest. */
    private SlidingLog withNewestTwo() {
        if (oldest == null || (newest != null && newest.next != null)) {
            return this;
        }
        Entry earlier = reversed(oldest, null);
        Entry latest = newest == null ? earlier : new Entry(newest.atMicros, newest.cost, earlier);
        if (latest == null || latest.next == null) {
            return new SlidingLog(null, latest, used, newestMicros, seenMicros);
        }
        Entry second = new Entry(latest.next.atMicros, latest.next.cost, null);
        Entry first = new Entry(latest.atMicros, latest.cost, second);
        return new SlidingLog(reversed(latest.next.next, null), first, used, newestMicros, seenMicros);
    }

    /**
     * The log with up to {@code cost} less, taken from the oldest entries: whichever request is refunded, what stays in
     * the log expires no sooner than what was really used.
     */
    SlidingLog giveBack(long cost) {
        SlidingLog log = this;
        long left = Math.min(cost, used);
        while (left > 0) {
            log = log.turned();
            Entry first = log.oldest;
            if (first == null) {
                throw new IllegalStateException("a log that counts " + log.used + " has no entry");
            }
            long part = Math.min(left, first.cost);
            Entry rest = part == first.cost ? first.next : new Entry(first.atMicros, first.cost - part, first.next);
            log = new SlidingLog(rest, log.newest, log.used - part, newestMicros, seenMicros);
            left -= part;
        }
        return log;
    }

    /**
     * The log with no time later than {@code untilMicros}, before which everything was taken: what was to be spent within longer
     * sub-windows than there are now is forgotten no later for it.
     */
    SlidingLog noLaterThan(long untilMicros) {
        if (newestMicros <= untilMicros) {
            return this;
        }
        SlidingLog clipped = new SlidingLog(null, null, 0, Long.MIN_VALUE, seenMicros);
        for (Entry entry = gathered(used).oldest; entry != null; entry = entry.next) {
            clipped = entry.atMicros < untilMicros
                    ? clipped.push(entry.atMicros, entry.cost)
                    : clipped.add(untilMicros, entry.cost);
        }
        return clipped;
    }

    /** When the last of the oldest {@code cost} units was taken, if they are {@link #gathered}. */
    long timeOfOldest(long cost) {
        long left = cost;
        for (Entry entry = oldest; entry != null; entry = entry.next) {
            left -= entry.cost;
            if (left <= 0) {
                return entry.atMicros;
            }
        }
        return newestMicros;
    }

    /** The same log with the oldest {@code cost} units on the side of the oldest: kept, it is paid for once. */
    SlidingLog gathered(long cost) {
        long found = 0;
        for (Entry entry = oldest; entry != null && found < cost; entry = entry.next) {
            found += entry.cost;
        }
        if (found >= cost || newest == null) {
            return this;
        }
        Entry all = reversed(newest, null);
        return new SlidingLog(reversed(reversed(oldest, null), all), null, used, newestMicros, seenMicros);
    }

    /** The same log with at least one entry on the side of the oldest, if it has any. */
    private SlidingLog turned() {
        return oldest != null || newest == null
                ? this
                : new SlidingLog(reversed(newest, null), null, used, newestMicros, seenMicros);
    }

    /** The entries in the other order, before {@code rest}. */
    private static @Nullable Entry reversed(@Nullable Entry entries, @Nullable Entry rest) {
        Entry turned = rest;
        for (Entry entry = entries; entry != null; entry = entry.next) {
            turned = new Entry(entry.atMicros, entry.cost, turned);
        }
        return turned;
    }
}
