package io.meridian.config.rulebook;

import io.meridian.model.rules.RuleEntry;
import java.util.Optional;

/** What became of one entry. */
public record Outcome(RuleEntry.Key key, What what, Optional<Stored> before, Optional<Stored> after) {
    /** How it differs from what was. */
    public enum What {
        CREATED,
        REPLACED,
        UNCHANGED,
        DELETED
    }
}
