package io.meridian.model.share;

import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.lease.Told;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.OnExhausted;
import io.meridian.model.usage.Sharing;
import java.util.concurrent.TimeUnit;

/**
 * One ask of a limit that regions share, and the shelf it meets: what the region's script does, as a pure function. A refused
 * take consumes nothing; in escrow it is noted, because grants follow what is asked for.
 *
 * @param shelf what is kept afterwards
 */
public record SharedTurn(Told told, Shelf shelf) {
    /** How long a book outlives its window. */
    private static final long KEPT_MICROS = TimeUnit.MINUTES.toMicros(10);

    /** A turn of a region that is offered no floor. */
    public static SharedTurn of(Ask asked, Shelf shelf, long nowMicros) {
        return of(asked, shelf, nowMicros, FloorOffer.NONE);
    }

    public static SharedTurn of(Ask asked, Shelf shelf, long nowMicros, FloorOffer offer) {
        Ask ask = ofThisLife(asked, shelf);
        Limit limit = ask.limit();
        Window window = limit.terms().window();
        long start = window.startMicros(nowMicros);
        if (Sharing.of(limit.policy()) == Sharing.CONVERGE_RATE) {
            return new RateTurn(ask, shelf, window, start, nowMicros).turn();
        }
        WindowTurn turn = new WindowTurn(limit, start, window.endMicros(start), nowMicros);
        Book known = shelf.book(start);
        if (Sharing.of(limit.policy()) != Sharing.ESCROW || known.isFloorDecided()) {
            return of(ask, turn, shelf, window);
        }
        // Only what is stored anyway stores the decision, too.
        Book decided = known.decideFloor(offer.of(start));
        SharedTurn next = of(ask, turn, shelf.with(start, decided), window);
        boolean asksOfNothing = ask instanceof Ask.Peek && !shelf.books().containsKey(start);
        boolean same = next.shelf.book(start).equals(decided) && !asksOfNothing;
        return same ? new SharedTurn(next.told, shelf.withOthersOf(next.shelf, start)) : next;
    }

    private static SharedTurn of(Ask ask, WindowTurn turn, Shelf shelf, Window window) {
        long start = turn.start();
        long nowMicros = turn.nowMicros();
        Book book = shelf.book(start);
        if (ask instanceof Ask.Take take) {
            return turn.take(take, book, shelf);
        }
        if (ask instanceof Ask.Peek peek) {
            return new SharedTurn(turn.peek(book, peek.cost(), 0), met(shelf, start));
        }
        if (ask instanceof Ask.GiveBack back) {
            Shelf given = givenBack(back, shelf, window, nowMicros);
            return new SharedTurn(turn.standing(given.book(start)), given);
        }
        if (ask instanceof Ask.Settle settle) {
            Shelf settled = settled(settle, shelf, window, nowMicros);
            return new SharedTurn(turn.standing(settled.book(start)), settled);
        }
        return turn.reset(book, shelf);
    }

    /** The shelf of a region that asked how a window stands: it has a book to report, so that it is told what the others used. */
    static Shelf met(Shelf shelf, long start) {
        return shelf.books().containsKey(start) ? shelf : shelf.with(start, Book.EMPTY);
    }

    /** Whether what was admitted without asking counts though it is above what the region holds; in escrow that may not be. */
    public static boolean countsAll(Limit limit) {
        return Sharing.of(limit.policy()) != Sharing.ESCROW
                || !(limit.policy().coordination().onExhausted() instanceof OnExhausted.Deny);
    }

    /** What was admitted without asking counts in its own window, unless that came so late that its book is gone. */
    static Shelf settled(Ask.Settle settle, Shelf shelf, Window window, long nowMicros) {
        long start = startMicros(settle.takenMicros(), shelf, window, nowMicros);
        boolean gone = !shelf.books().containsKey(start) && nowMicros >= window.endMicros(start) + KEPT_MICROS;
        Book book = shelf.book(start);
        long units = countsAll(settle.limit())
                ? settle.cost()
                : Math.min(settle.cost(), Math.max(0, book.held() - book.own()));
        return gone || units == 0 ? shelf : shelf.with(start, book.take(units));
    }

    /**
     * The start of the window in which something was taken. What seems to come from a later one, because the clock of who says so is
     * ahead, is of this one; unless there is a book of the later one: then the region's own clock was set back.
     */
    private static long startMicros(long takenMicros, Shelf shelf, Window window, long nowMicros) {
        long start = window.startMicros(takenMicros);
        return takenMicros <= nowMicros || shelf.books().containsKey(start) ? start : window.startMicros(nowMicros);
    }

    /** What was taken before the life began gives nothing back: this life never counted it. */
    private static Ask ofThisLife(Ask ask, Shelf shelf) {
        return ask instanceof Ask.GiveBack back && back.takenMicros() < shelf.beganMicros()
                ? new Ask.GiveBack(back.limit(), 0, back.takenMicros())
                : ask;
    }

    /** What was taken in an earlier window goes back to that window's book, so that its total is what was admitted. */
    static Shelf givenBack(Ask.GiveBack back, Shelf shelf, Window window, long nowMicros) {
        long start = startMicros(back.takenMicros(), shelf, window, nowMicros);
        return shelf.books().containsKey(start)
                ? shelf.with(start, shelf.book(start).giveBack(back.cost()))
                : shelf;
    }
}
