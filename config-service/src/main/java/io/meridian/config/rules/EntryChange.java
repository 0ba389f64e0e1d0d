package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;
import java.util.Set;

/** Requested change of one entry. */
public sealed interface EntryChange {
    EntryKey key();

    Precondition condition();

    /** Create or replace. */
    record Put(Entry entry, Precondition condition) implements EntryChange {
        @Override
        public EntryKey key() {
            return entry.key();
        }
    }

    /** Merge patch of RFC 7396. */
    record Patch(EntryKey key, JsonNode patch, Precondition condition) implements EntryChange {}

    record Delete(EntryKey key, Precondition condition) implements EntryChange {}

    /** Condition on an entry, or on the rules as a whole, without which the change is refused. */
    sealed interface Precondition {
        record Always() implements Precondition {}

        /** The entry does not exist: the condition of a create. */
        record New() implements Precondition {}

        /** The entry does not exist: {@code If-None-Match: *}. */
        record Absent() implements Precondition {}

        /** The entry exists in one of these versions: {@code If-Match}. */
        record Matches(Set<String> etags) implements Precondition {
            /** Stands for any version. */
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
