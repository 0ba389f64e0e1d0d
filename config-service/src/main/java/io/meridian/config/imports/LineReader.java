package io.meridian.config.imports;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.MalformedException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Iterator over the lines of an import that reads one line ahead; the subclasses read the formats. */
abstract class LineReader implements Iterator<ImportLine> {
    /** The longest line, in characters; the longest entry has about 1,200. */
    static final int LENGTH_MAX = 8_192;

    private @Nullable ImportLine next;
    private boolean ended;

    /** The next line; null where there is none or it is empty. */
    abstract @Nullable ImportLine read();

    /** Marks the line being read as the last. */
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

    static ImportLine parse(long number, JsonNode document, ListKind list) {
        try {
            return new ImportLine.Good(number, new Entry.OfList(list, EntryJson.listEntry(document)));
        } catch (InvalidException | MalformedException wrong) {
            return new ImportLine.Wrong(number, String.valueOf(wrong.getMessage()));
        }
    }

    /** Decodes UTF-8 and fails on malformed bytes, instead of replacing them. */
    static Reader utf8(InputStream body) {
        return new InputStreamReader(
                body,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }
}
