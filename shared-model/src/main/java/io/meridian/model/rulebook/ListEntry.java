package io.meridian.model.rulebook;

import io.meridian.model.rule.Rules;
import io.meridian.model.rule.Texts;

/** One line of the allow or the deny list. */
public record ListEntry(Identifier identifier, String reason, Expiry expiry) {
    static final int REASON_MAX = 500;

    public ListEntry {
        new Rules()
                .require(
                        reason.length() <= REASON_MAX && Texts.isProse(reason),
                        "reason",
                        reason,
                        "must be text of at most " + REASON_MAX + " characters")
                .throwIfBroken();
    }
}
