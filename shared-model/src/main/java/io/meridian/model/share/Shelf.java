package io.meridian.model.share;

import io.meridian.model.algorithm.CounterState;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that a region keeps of a limit that regions share, in one life of its data: a book for each window, and the counter of an
 * algorithm without aligned windows. Immutable.
 *
 * @param beganMicros when the life began: what was taken before is of another one and is not given back to this one
 */
public record Shelf(Map<Long, Book> books, CounterState counter, long beganMicros) {
    public static final Shelf EMPTY = new Shelf(Map.of(), CounterState.UNTOUCHED);

    public Shelf {
        books = Collections.unmodifiableMap(new TreeMap<>(books));
    }

    public Shelf(Map<Long, Book> books, CounterState counter) {
        this(books, counter, 0);
    }

    /** Nothing yet, in a life that began at this time. */
    public static Shelf begun(long beganMicros) {
        return new Shelf(Map.of(), CounterState.UNTOUCHED, beganMicros);
    }

    public Book book(long startMicros) {
        return books.getOrDefault(startMicros, Book.EMPTY);
    }

    public Shelf with(long startMicros, Book book) {
        Map<Long, Book> more = new TreeMap<>(books);
        more.put(startMicros, book);
        return new Shelf(more, counter, beganMicros);
    }

    /** The shelf with all books of the other one but that of a window, which stays as it is. */
    Shelf withOthersOf(Shelf other, long startMicros) {
        Map<Long, Book> more = new TreeMap<>(other.books);
        Book own = books.get(startMicros);
        if (own == null) {
            more.remove(startMicros);
        } else {
            more.put(startMicros, own);
        }
        return new Shelf(more, other.counter, beganMicros);
    }

    /** The shelf after a verdict on a window; one that counts no more and of which nothing is kept is not begun again. */
    public Shelf hear(long startMicros, long countedUntilMicros, Verdict verdict, long nowMicros) {
        return nowMicros >= countedUntilMicros && !books.containsKey(startMicros)
                ? this
                : with(startMicros, book(startMicros).hear(verdict));
    }

    Shelf with(CounterState next) {
        return new Shelf(books, next, beganMicros);
    }
}
