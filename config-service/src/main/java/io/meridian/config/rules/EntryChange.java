package io.meridian.config.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rules.RuleEntry;
import java.util.Optional;
import java.util.Set;

/** Requested change of one entry. */
public sealed interface EntryChange {
    RuleEntry.Key key();

    Precondition condition();

    /** Create or replace. */
    record Put(RuleEntry entry, Precondition condition) implements EntryChange {
        @Override
        public RuleEntry.Key key() {
            return entry.key();
        }
    }

    /** Merge patch of RFC 7396. */
    record Patch(RuleEntry.Key key, JsonNode patch, Precondition condition) implements EntryChange {}

    record Delete(RuleEntry.Key key, Precondition condition) implements EntryChange {}

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

    /** Refusal of a well-formed change because of the present state. Without a stack trace: it is an answer, not a fault. */
    public static final class ChangeRefusedException extends RuntimeException {
        public enum Reason {
            NOT_FOUND,
            ALREADY_EXISTS,
            STALE,
            IN_USE,
            /** A protected policy, changed without a proposal. */
            PROTECTED,
            /** The caller may not make this change of the entry. */
            FORBIDDEN
        }

        private final Reason reason;
        private final transient Optional<StoredEntry> current;

        public ChangeRefusedException(Reason reason, String detail, Optional<StoredEntry> current) {
            super(detail, null, false, false);
            this.reason = reason;
            this.current = current;
        }

        public Reason reason() {
            return reason;
        }

        /** The present entry, where it is the reason. */
        public Optional<StoredEntry> current() {
            return current;
        }
    }
}
