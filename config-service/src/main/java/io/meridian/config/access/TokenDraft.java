package io.meridian.config.access;

import io.meridian.model.validation.Validator;
import java.time.Instant;
import java.util.Optional;

/** A token that somebody wants. */
public record TokenDraft(String name, Role role, Optional<Instant> expiresAt) {
    private static final int NAME_MAX = 100;

    public TokenDraft {
        new Validator()
                .require(
                        !name.isBlank() && name.length() <= NAME_MAX && Validator.isPlain(name),
                        "name",
                        name,
                        "must be text of 1 to " + NAME_MAX + " characters")
                .throwIfInvalid();
    }
}
