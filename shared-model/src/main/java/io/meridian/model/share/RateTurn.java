package io.meridian.model.share;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.lease.Turn;
import io.meridian.model.match.Limit;
import java.util.List;

/**
 * An ask under an algorithm without aligned windows: the region's own counter, charged with what the others used as soon as it is
 * heard of. It is charged late, by the loop's delay, and never early, so it forgets a little later than an exact one would. Books
 * by aligned periods only hold the accounts.
 */
record RateTurn(Ask ask, Shelf shelf, Window window, long start, long nowMicros) {
    SharedTurn turn() {
        Shelf charged = charged();
        Turn turn = Turn.of(List.of(ask), List.of(charged.counter()), nowMicros);
        Told own = turn.told().get(0);
        Shelf kept = kept(charged.with(turn.states().get(0)), own);
        Book book = kept.book(start);
        Told told = new Told(
                own.admitted(),
                own.standing(),
                own.waitMicros(),
                own.ahead(),
                own.untilMicros(),
                new Told.Shared(book.taken(), book.returned(), book.told().elsewhere(), 0));
        return new SharedTurn(told, kept);
    }

    /** The counter with what was heard of since it was last asked, in this period and in the one before. */
    private Shelf charged() {
        Shelf charged = shelf;
        for (long period : new long[] {previous(), start}) {
            Book book = shelf.books().get(period);
            if (book == null || book.applied() == book.told().elsewhere()) {
                continue;
            }
            long more = book.told().elsewhere() - book.applied();
            Limit judged = more > 0 ? ChargedCapacity.stretched(ask.limit()) : ask.limit();
            Ask change =
                    more > 0 ? new Ask.Settle(judged, more, nowMicros) : new Ask.GiveBack(judged, -more, nowMicros);
            CounterState next = Turn.of(List.of(change), List.of(charged.counter()), nowMicros)
                    .states()
                    .get(0);
            charged = charged.with(next).with(period, book.charged());
        }
        return charged;
    }

    private long previous() {
        return window.startMicros(start - 1);
    }

    private Shelf kept(Shelf charged, Told told) {
        Book book = charged.book(start);
        if (ask instanceof Ask.Take take && take.cost() > 0 && told.admitted()) {
            return charged.with(start, book.take(take.cost() + told.ahead()));
        }
        if (ask instanceof Ask.Settle settle) {
            return SharedTurn.settled(settle, charged, window, nowMicros);
        }
        if (ask instanceof Ask.GiveBack back) {
            return SharedTurn.givenBack(back, charged, window, nowMicros);
        }
        if (ask instanceof Ask.Peek) {
            return SharedTurn.met(charged, start);
        }
        boolean reset = ask instanceof Ask.Reset && charged.books().containsKey(start);
        return reset ? charged.with(start, book.giveBack(book.own())) : charged;
    }
}
