package io.meridian.model.counter;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that a region keeps of a limit that regions share, in one life of its data: a book for each window, and the counter of an
 * algorithm without aligned windows. Immutable.
 *
 * @param beganMicros when the life began: what was taken before is of another one and is not given back to this one
 */
public record GlobalLimitState(Map<Long, WindowAccount> books, CounterState counter, long beganMicros) {
    public static final GlobalLimitState EMPTY = new GlobalLimitState(Map.of(), CounterState.UNTOUCHED);

    public GlobalLimitState {
        books = Collections.unmodifiableMap(new TreeMap<>(books));
    }

    public GlobalLimitState(Map<Long, WindowAccount> books, CounterState counter) {
        this(books, counter, 0);
    }

    /** Nothing yet, in a life that began at this time. */
    public static GlobalLimitState begun(long beganMicros) {
        return new GlobalLimitState(Map.of(), CounterState.UNTOUCHED, beganMicros);
    }

    public WindowAccount book(long startMicros) {
        return books.getOrDefault(startMicros, WindowAccount.EMPTY);
    }

    public GlobalLimitState with(long startMicros, WindowAccount book) {
        Map<Long, WindowAccount> more = new TreeMap<>(books);
        more.put(startMicros, book);
        return new GlobalLimitState(more, counter, beganMicros);
    }

    /** The shelf with all books of the other one but that of a window, which stays as it is. */
    GlobalLimitState withOthersOf(GlobalLimitState other, long startMicros) {
        Map<Long, WindowAccount> more = new TreeMap<>(other.books);
        WindowAccount own = books.get(startMicros);
        if (own == null) {
            more.remove(startMicros);
        } else {
            more.put(startMicros, own);
        }
        return new GlobalLimitState(more, other.counter, beganMicros);
    }

    /** The shelf after a verdict on a window; one that counts no more and of which nothing is kept is not begun again. */
    public GlobalLimitState hear(long startMicros, long countedUntilMicros, WindowVerdict verdict, long nowMicros) {
        return nowMicros >= countedUntilMicros && !books.containsKey(startMicros)
                ? this
                : with(startMicros, book(startMicros).hear(verdict));
    }

    GlobalLimitState with(CounterState next) {
        return new GlobalLimitState(books, next, beganMicros);
    }
}
