package io.meridian.config.access;

import io.meridian.model.rule.Texts;
import io.meridian.model.rule.Rules;
import java.time.Instant;
import java.util.Optional;

/** A token as it is kept: all but the token. */
public record Token(
        String id, String name, Role role, Instant createdAt, String createdBy, Optional<Instant> expiresAt) {
    boolean isLive(Instant now) {
        return expiresAt.map(end -> now.isBefore(end)).orElse(true);
    }

    Caller caller() {
        return new Caller(name + " (" + id + ")", role);
    }

    /** A token that somebody wants. */
    public record Draft(String name, Role role, Optional<Instant> expiresAt) {
        private static final int NAME_MAX = 100;

        public Draft {
            new Rules()
                    .require(
                            !name.isBlank() && name.length() <= NAME_MAX && Texts.isPlain(name),
                            "name",
                            name,
                            "must be text of 1 to " + NAME_MAX + " characters")
                    .throwIfBroken();
        }
    }
}
