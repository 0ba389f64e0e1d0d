package io.meridian.model.share;

import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.Sharing;
import java.util.concurrent.TimeUnit;

/**
 * Asks of one aligned window.
 *
 * <p>Formulas: converge admits while {@code own + elsewhere + cost <= limit} and the world has not reached the limit; escrow
 * admits while {@code own + cost <= granted - returned}, and beyond that only what a region that is cut off may overdraw.
 */
record WindowTurn(Limit limit, long start, long end, long nowMicros) {
    /** A lease takes at most one part of so many of what is free. */
    private static final long SHARE = 16;
    /** When a region that lacks a grant is worth asking again. */
    private static final long GRANTED_WITHIN_MICROS = TimeUnit.SECONDS.toMicros(1);

    SharedTurn take(Ask.Take take, Book before, Shelf shelf) {
        Book book = isEscrow() ? before.ask(take.asked()) : before;
        if (take.cost() == 0 || Math.max(1, take.cost()) > free(book, take.overdraft())) {
            Told told = peek(book, take.cost(), take.overdraft());
            Book noted = isEscrow() && take.cost() > 0 && mayBeGranted(book, take.cost())
                    ? book.refuse(take.cost(), limit.terms().capacity())
                    : book;
            return new SharedTurn(told, noted.equals(before) ? shelf : shelf.with(start, noted));
        }
        Book taken = book.take(take.cost());
        long free = free(taken, take.overdraft());
        long ahead = take.horizonMicros() > 0 ? Math.max(0, Math.min(take.ahead(), free / SHARE)) : 0;
        Book next = taken.take(ahead);
        long until = ahead == 0 ? 0 : nowMicros + Math.min(take.horizonMicros(), end - nowMicros);
        return new SharedTurn(told(true, next, take.overdraft(), 0, ahead, until), shelf.with(start, next));
    }

    /** Whether enough of the limit is left, as far as the region was told, for a grant to cover this cost. */
    private boolean mayBeGranted(Book book, long cost) {
        return cost <= limit.terms().capacity() - book.used();
    }

    Told peek(Book book, long cost, long overdraft) {
        long needed = Math.max(1, cost);
        if (needed <= free(book, overdraft)) {
            return told(true, book, overdraft, 0, 0, 0);
        }
        return told(false, book, overdraft, waitMicros(book, needed), 0, 0);
    }

    Told standing(Book book) {
        return told(true, book, 0, 0, 0, 0);
    }

    SharedTurn reset(Book book, Shelf shelf) {
        Book reset = book.giveBack(book.own());
        return new SharedTurn(peek(reset, 1, 0), reset.equals(book) ? shelf : shelf.with(start, reset));
    }

    private long waitMicros(Book book, long needed) {
        if (needed > limit.terms().capacity()) {
            return Outcome.NEVER;
        }
        long left = end - nowMicros;
        boolean grantable = isEscrow() && !isBlocked(book);
        return grantable ? Math.min(left, GRANTED_WITHIN_MICROS) : left;
    }

    private Told told(boolean admitted, Book book, long overdraft, long waitMicros, long ahead, long until) {
        return new Told(
                admitted,
                new Standing(limit.terms().capacity(), free(book, overdraft), end),
                waitMicros,
                ahead,
                until,
                new Told.Shared(book.taken(), book.returned(), book.told().elsewhere(), book.held()));
    }

    private long free(Book book, long overdraft) {
        long capacity = limit.terms().capacity();
        if (!isEscrow()) {
            return isBlocked(book) ? 0 : Math.max(0, capacity - book.used());
        }
        long line = book.held();
        if (overdraft == Ask.Take.LOCAL) {
            line = Math.max(line, capacity);
        } else {
            line += overdraft;
        }
        return Math.max(0, line - book.own());
    }

    private boolean isBlocked(Book book) {
        return book.isBlocked(limit.policy().revision().version(), limit.terms().capacity());
    }

    private boolean isEscrow() {
        return Sharing.of(limit.policy()) == Sharing.ESCROW;
    }
}
