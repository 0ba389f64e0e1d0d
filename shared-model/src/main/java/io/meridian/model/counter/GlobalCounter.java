package io.meridian.model.counter;

import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.usage.SharingMode;
import java.util.concurrent.TimeUnit;

/**
 * One ask of a limit that regions share, and the shelf it meets: what the region's script does, as a pure function. A refused
 * take consumes nothing; in escrow it is noted, because grants follow what is asked for.
 *
 * @param shelf what is kept afterwards
 */
public record GlobalCounter(CounterReply told, GlobalLimitState shelf) {
    /** How long a book outlives its window. */
    private static final long KEPT_MICROS = TimeUnit.MINUTES.toMicros(10);

    /** A turn of a region that is offered no floor. */
    public static GlobalCounter of(CounterRequest asked, GlobalLimitState shelf, long nowMicros) {
        return of(asked, shelf, nowMicros, FloorOffer.NONE);
    }

    public static GlobalCounter of(CounterRequest asked, GlobalLimitState shelf, long nowMicros, FloorOffer offer) {
        CounterRequest ask = ofThisLife(asked, shelf);
        Limit limit = ask.limit();
        Window window = limit.terms().window();
        long start = window.startMicros(nowMicros);
        if (SharingMode.of(limit.policy()) == SharingMode.CONVERGE_RATE) {
            return new ConvergingRateCounter(ask, shelf, window, start, nowMicros).turn();
        }
        AlignedWindow turn = new AlignedWindow(limit, start, window.endMicros(start), nowMicros);
        WindowAccount known = shelf.book(start);
        if (SharingMode.of(limit.policy()) != SharingMode.ESCROW || known.isFloorDecided()) {
            return of(ask, turn, shelf, window);
        }
        // Only what is stored anyway stores the decision, too.
        WindowAccount decided = known.decideFloor(offer.of(start));
        GlobalCounter next = of(ask, turn, shelf.with(start, decided), window);
        boolean asksOfNothing = ask instanceof CounterRequest.Peek && !shelf.books().containsKey(start);
        boolean same = next.shelf.book(start).equals(decided) && !asksOfNothing;
        return same ? new GlobalCounter(next.told, shelf.withOthersOf(next.shelf, start)) : next;
    }

    private static GlobalCounter of(CounterRequest ask, AlignedWindow turn, GlobalLimitState shelf, Window window) {
        long start = turn.start();
        long nowMicros = turn.nowMicros();
        WindowAccount book = shelf.book(start);
        if (ask instanceof CounterRequest.Take take) {
            return turn.take(take, book, shelf);
        }
        if (ask instanceof CounterRequest.Peek peek) {
            return new GlobalCounter(turn.peek(book, peek.cost(), 0), met(shelf, start));
        }
        if (ask instanceof CounterRequest.Refund back) {
            GlobalLimitState given = givenBack(back, shelf, window, nowMicros);
            return new GlobalCounter(turn.standing(given.book(start)), given);
        }
        if (ask instanceof CounterRequest.Charge settle) {
            GlobalLimitState settled = settled(settle, shelf, window, nowMicros);
            return new GlobalCounter(turn.standing(settled.book(start)), settled);
        }
        return turn.reset(book, shelf);
    }

    /** The shelf of a region that asked how a window stands: it has a book to report, so that it is told what the others used. */
    static GlobalLimitState met(GlobalLimitState shelf, long start) {
        return shelf.books().containsKey(start) ? shelf : shelf.with(start, WindowAccount.EMPTY);
    }

    /** Whether what was admitted without asking counts though it is above what the region holds; in escrow that may not be. */
    public static boolean countsAll(Limit limit) {
        return SharingMode.of(limit.policy()) != SharingMode.ESCROW
                || !(limit.policy().coordination().onExhausted() instanceof OnExhausted.Deny);
    }

    /** What was admitted without asking counts in its own window, unless that came so late that its book is gone. */
    static GlobalLimitState settled(CounterRequest.Charge settle, GlobalLimitState shelf, Window window, long nowMicros) {
        long start = startMicros(settle.takenMicros(), shelf, window, nowMicros);
        boolean gone = !shelf.books().containsKey(start) && nowMicros >= window.endMicros(start) + KEPT_MICROS;
        WindowAccount book = shelf.book(start);
        long units = countsAll(settle.limit())
                ? settle.cost()
                : Math.min(settle.cost(), Math.max(0, book.held() - book.own()));
        return gone || units == 0 ? shelf : shelf.with(start, book.take(units));
    }

    /**
     * The start of the window in which something was taken. What seems to come from a later one, because the clock of who says so is
     * ahead, is of this one; unless there is a book of the later one: then the region's own clock was set back.
     */
    private static long startMicros(long takenMicros, GlobalLimitState shelf, Window window, long nowMicros) {
        long start = window.startMicros(takenMicros);
        return takenMicros <= nowMicros || shelf.books().containsKey(start) ? start : window.startMicros(nowMicros);
    }

    /** What was taken before the life began gives nothing back: this life never counted it. */
    private static CounterRequest ofThisLife(CounterRequest ask, GlobalLimitState shelf) {
        return ask instanceof CounterRequest.Refund back && back.takenMicros() < shelf.beganMicros()
                ? new CounterRequest.GiveBack(back.limit(), 0, back.takenMicros())
                : ask;
    }

    /** What was taken in an earlier window goes back to that window's book, so that its total is what was admitted. */
    static GlobalLimitState givenBack(CounterRequest.Refund back, GlobalLimitState shelf, Window window, long nowMicros) {
        long start = startMicros(back.takenMicros(), shelf, window, nowMicros);
        return shelf.books().containsKey(start)
                ? shelf.with(start, shelf.book(start).giveBack(back.cost()))
                : shelf;
    }

    /**
     * Asks of one aligned window.
     *
     * <p>Formulas: converge admits while {@code own + elsewhere + cost <= limit} and the world has not reached the limit; escrow
     * admits while {@code own + cost <= granted - returned}, and beyond that only what a region that is cut off may overdraw.
     */
    record AlignedWindow(Limit limit, long start, long end, long nowMicros) {
        /** A lease takes at most one part of so many of what is free. */
        private static final long SHARE = 16;
        /** When a region that lacks a grant is worth asking again. */
        private static final long GRANTED_WITHIN_MICROS = TimeUnit.SECONDS.toMicros(1);

        GlobalCounter take(CounterRequest.Take take, WindowAccount before, GlobalLimitState shelf) {
            WindowAccount book = isEscrow() ? before.ask(take.asked()) : before;
            if (take.cost() == 0 || Math.max(1, take.cost()) > free(book, take.overdraft())) {
                CounterReply told = peek(book, take.cost(), take.overdraft());
                WindowAccount noted = isEscrow() && take.cost() > 0 && mayBeGranted(book, take.cost())
                        ? book.refuse(take.cost(), limit.terms().capacity())
                        : book;
                return new GlobalCounter(told, noted.equals(before) ? shelf : shelf.with(start, noted));
            }
            WindowAccount taken = book.take(take.cost());
            long free = free(taken, take.overdraft());
            long ahead = take.horizonMicros() > 0 ? Math.max(0, Math.min(take.ahead(), free / SHARE)) : 0;
            WindowAccount next = taken.take(ahead);
            long until = ahead == 0 ? 0 : nowMicros + Math.min(take.horizonMicros(), end - nowMicros);
            return new GlobalCounter(told(true, next, take.overdraft(), 0, ahead, until), shelf.with(start, next));
        }

        /** Whether enough of the limit is left, as far as the region was told, for a grant to cover this cost. */
        private boolean mayBeGranted(WindowAccount book, long cost) {
            return cost <= limit.terms().capacity() - book.used();
        }

        CounterReply peek(WindowAccount book, long cost, long overdraft) {
            long needed = Math.max(1, cost);
            if (needed <= free(book, overdraft)) {
                return told(true, book, overdraft, 0, 0, 0);
            }
            return told(false, book, overdraft, waitMicros(book, needed), 0, 0);
        }

        CounterReply standing(WindowAccount book) {
            return told(true, book, 0, 0, 0, 0);
        }

        GlobalCounter reset(WindowAccount book, GlobalLimitState shelf) {
            WindowAccount reset = book.giveBack(book.own());
            return new GlobalCounter(peek(reset, 1, 0), reset.equals(book) ? shelf : shelf.with(start, reset));
        }

        private long waitMicros(WindowAccount book, long needed) {
            if (needed > limit.terms().capacity()) {
                return Outcome.NEVER;
            }
            long left = end - nowMicros;
            boolean grantable = isEscrow() && !isBlocked(book);
            return grantable ? Math.min(left, GRANTED_WITHIN_MICROS) : left;
        }

        private CounterReply told(boolean admitted, WindowAccount book, long overdraft, long waitMicros, long ahead, long until) {
            return new CounterReply(
                    admitted,
                    new Standing(limit.terms().capacity(), free(book, overdraft), end),
                    waitMicros,
                    ahead,
                    until,
                    new CounterReply.Shared(book.taken(), book.returned(), book.told().elsewhere(), book.held()));
        }

        private long free(WindowAccount book, long overdraft) {
            long capacity = limit.terms().capacity();
            if (!isEscrow()) {
                return isBlocked(book) ? 0 : Math.max(0, capacity - book.used());
            }
            long line = book.held();
            if (overdraft == CounterRequest.Take.LOCAL) {
                line = Math.max(line, capacity);
            } else {
                line += overdraft;
            }
            return Math.max(0, line - book.own());
        }

        private boolean isBlocked(WindowAccount book) {
            return book.isBlocked(limit.policy().revision().version(), limit.terms().capacity());
        }

        private boolean isEscrow() {
            return SharingMode.of(limit.policy()) == SharingMode.ESCROW;
        }
    }

    /**
     * Units of a limit in escrow that a region may spend without a grant, in windows that start within a range. The first ask of a window takes the
     * offer or, outside of the range, nothing; what comes later in that window changes nothing.
     */
    public record FloorOffer(long units, long fromMicros, long untilMicros) {
        public static final FloorOffer NONE = new FloorOffer(0, 0, 0);

        /** The floor of a window that starts then. */
        long of(long startMicros) {
            return startMicros >= fromMicros && startMicros < untilMicros ? units : 0;
        }
    }
}
