package io.meridian.config.rulebook;

import java.util.Set;

/** What must hold of an entry, or of the rulebook as a whole, before it is changed. */
public sealed interface Condition {
    /** Nothing. */
    record Always() implements Condition {}

    /** There is none yet: what a create means. */
    record New() implements Condition {}

    /** There is none yet, as {@code If-None-Match: *} asks. */
    record Absent() implements Condition {}

    /** It is still one of these versions. */
    record Matches(Set<String> etags) implements Condition {
        /** Any version will do, as long as there is one. */
        public static final String ANY = "*";

        public Matches {
            etags = Set.copyOf(etags);
        }

        boolean holds(String etag) {
            return etags.contains(ANY) || etags.contains(etag);
        }
    }

    Condition ALWAYS = new Always();
}
