package io.meridian.config.imports;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Reads one line ahead, whatever their form. */
abstract class LineReader implements Iterator<ImportLine> {
    private @Nullable ImportLine next;
    private boolean ended;

    /** The next line, or null where there is none or it is empty; {@link #end} says that no more follow. */
    abstract @Nullable ImportLine read();

    final void end() {
        ended = true;
    }

    @Override
    public final boolean hasNext() {
        while (next == null && !ended) {
            next = read();
        }
        return next != null;
    }

    @Override
    public final ImportLine next() {
        ImportLine line = hasNext() ? next : null;
        if (line == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return line;
    }
}
