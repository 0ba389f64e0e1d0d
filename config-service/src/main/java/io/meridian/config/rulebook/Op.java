package io.meridian.config.rulebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;

/** What somebody wants done to one entry. */
public sealed interface Op {
    EntryKey key();

    Condition condition();

    /** It shall be this. */
    record Put(Entry entry, Condition condition) implements Op {
        @Override
        public EntryKey key() {
            return entry.key();
        }
    }

    /** It shall be what it is, merged with this (RFC 7396). */
    record Patch(EntryKey key, JsonNode patch, Condition condition) implements Op {}

    /** It shall not be. */
    record Delete(EntryKey key, Condition condition) implements Op {}
}
