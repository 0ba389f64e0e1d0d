package io.meridian.config.rules;

import java.util.Set;
import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;

/** What somebody wants done to one entry. */
public sealed interface EntryChange {
    EntryKey key();

    Precondition condition();

    /** It shall be this. */
    record Put(Entry entry, Precondition condition) implements EntryChange {
        @Override
        public EntryKey key() {
            return entry.key();
        }
    }

    /** It shall be what it is, merged with this (RFC 7396). */
    record Patch(EntryKey key, JsonNode patch, Precondition condition) implements EntryChange {}

    /** It shall not be. */
    record Delete(EntryKey key, Precondition condition) implements EntryChange {}

    /** What must hold of an entry, or of the rulebook as a whole, before it is changed. */
    public sealed interface Precondition {
        /** Nothing. */
        record Always() implements Precondition {}

        /** There is none yet: what a create means. */
        record New() implements Precondition {}

        /** There is none yet, as {@code If-None-Match: *} asks. */
        record Absent() implements Precondition {}

        /** It is still one of these versions. */
        record Matches(Set<String> etags) implements Precondition {
            /** Any version will do, as long as there is one. */
            public static final String ANY = "*";

            public Matches {
                etags = Set.copyOf(etags);
            }

            boolean holds(String etag) {
                return etags.contains(ANY) || etags.contains(etag);
            }
        }

        Precondition ALWAYS = new Always();
    }
}
