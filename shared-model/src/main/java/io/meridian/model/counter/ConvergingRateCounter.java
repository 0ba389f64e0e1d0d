package io.meridian.model.counter;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import java.util.List;

/**
 * An ask under an algorithm without aligned windows: the region's own counter, charged with what the others used as soon as it is
 * heard of. It is charged late, by the loop's delay, and never early, so it forgets a little later than an exact one would. Books
 * by aligned periods only hold the accounts.
 */
record ConvergingRateCounter(CounterRequest ask, GlobalLimitState shelf, Window window, long start, long nowMicros) {
    GlobalCounter turn() {
        GlobalLimitState charged = charged();
        RegionalCounter turn = RegionalCounter.of(List.of(ask), List.of(charged.counter()), nowMicros);
        CounterReply own = turn.told().get(0);
        GlobalLimitState kept = kept(charged.with(turn.states().get(0)), own);
        WindowAccount book = kept.book(start);
        CounterReply told = new CounterReply(
                own.admitted(),
                own.standing(),
                own.waitMicros(),
                own.ahead(),
                own.untilMicros(),
                new CounterReply.Shared(book.taken(), book.returned(), book.told().elsewhere(), 0));
        return new GlobalCounter(told, kept);
    }

    /** The counter with what was heard of since it was last asked, in this period and in the one before. */
    private GlobalLimitState charged() {
        GlobalLimitState charged = shelf;
        for (long period : new long[] {previous(), start}) {
            WindowAccount book = shelf.books().get(period);
            if (book == null || book.applied() == book.told().elsewhere()) {
                continue;
            }
            long more = book.told().elsewhere() - book.applied();
            Limit judged = more > 0 ? ChargedCapacity.stretched(ask.limit()) : ask.limit();
            CounterRequest change =
                    more > 0 ? new CounterRequest.Settle(judged, more, nowMicros) : new CounterRequest.GiveBack(judged, -more, nowMicros);
            CounterState next = RegionalCounter.of(List.of(change), List.of(charged.counter()), nowMicros)
                    .states()
                    .get(0);
            charged = charged.with(next).with(period, book.charged());
        }
        return charged;
    }

    private long previous() {
        return window.startMicros(start - 1);
    }

    private GlobalLimitState kept(GlobalLimitState charged, CounterReply told) {
        WindowAccount book = charged.book(start);
        if (ask instanceof CounterRequest.Take take && take.cost() > 0 && told.admitted()) {
            return charged.with(start, book.take(take.cost() + told.ahead()));
        }
        if (ask instanceof CounterRequest.Charge settle) {
            return GlobalCounter.settled(settle, charged, window, nowMicros);
        }
        if (ask instanceof CounterRequest.Refund back) {
            return GlobalCounter.givenBack(back, charged, window, nowMicros);
        }
        if (ask instanceof CounterRequest.Peek) {
            return GlobalCounter.met(charged, start);
        }
        boolean reset = ask instanceof CounterRequest.Reset && charged.books().containsKey(start);
        return reset ? charged.with(start, book.giveBack(book.own())) : charged;
    }
}
