package io.meridian.config.access;

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
}
