package io.meridian.config.rulebook;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.model.rules.RuleEntry;

/** What somebody wants done to one entry. */
public sealed interface Op {
    RuleEntry.Key key();

    Condition condition();

    /** It shall be this. */
    record Put(RuleEntry entry, Condition condition) implements Op {
        @Override
        public RuleEntry.Key key() {
            return entry.key();
        }
    }

    /** It shall be what it is, merged with this (RFC 7396). */
    record Patch(RuleEntry.Key key, JsonNode patch, Condition condition) implements Op {}

    /** It shall not be. */
    record Delete(RuleEntry.Key key, Condition condition) implements Op {}
}
