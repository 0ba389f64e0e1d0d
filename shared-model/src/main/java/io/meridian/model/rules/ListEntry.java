package io.meridian.model.rules;

import io.meridian.model.validation.Validator;

/** One line of the allow or the deny list. */
public record ListEntry(Identifier identifier, String reason, Expiry expiry) {
    static final int REASON_MAX = 500;

    public ListEntry {
        new Validator()
                .require(
                        reason.length() <= REASON_MAX && Validator.isProse(reason),
                        "reason",
                        reason,
                        "must be text of at most " + REASON_MAX + " characters")
                .throwIfInvalid();
    }

    /** The two lists. */
    public enum ListKind {
        /** Exempt from every policy. */
        ALLOW,
        /** Refused outright; goes before the allow list. */
        DENY
    }
}
