package io.meridian.config.imports;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.EntryJson;
import io.meridian.model.wire.MalformedException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** What lines of every form have in common. */
final class Lines {
    /** The longest line, in characters; the longest entry has about 1,200. */
    static final int LENGTH_MAX = 8_192;

    private Lines() {}

    static Line read(long number, JsonNode document, ListKind list) {
        try {
            return new Line.Good(number, new RuleEntry.OfList(list, EntryJson.listEntry(document)));
        } catch (ValidationException | MalformedException wrong) {
            return new Line.Wrong(number, String.valueOf(wrong.getMessage()));
        }
    }

    /** UTF-8 that is refused rather than replaced where it is not. */
    static Reader text(InputStream body) {
        return new InputStreamReader(
                body,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }
}
