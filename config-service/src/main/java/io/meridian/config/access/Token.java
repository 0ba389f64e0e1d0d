package io.meridian.config.access;

import io.meridian.model.access.TokenText;
import io.meridian.model.validation.Validator;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Stored token, without its secret. */
public record Token(
        String id, String name, AdminRole role, Instant createdAt, String createdBy, Optional<Instant> expiresAt) {
    private static final int ID_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    static String newSecret() {
        return TokenText.of(random(TokenText.RANDOM_BYTES));
    }

    static String newId() {
        return HexFormat.of().formatHex(random(ID_BYTES));
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }

    boolean isLive(Instant now) {
        return expiresAt.map(end -> now.isBefore(end)).orElse(true);
    }

    AdminCaller caller() {
        return new AdminCaller(name + " (" + id + ")", role);
    }

    /** Requested token. */
    public record Draft(String name, AdminRole role, Optional<Instant> expiresAt) {
        private static final int NAME_MAX = 100;

        public Draft {
            new Validator()
                    .require(
                            !name.isBlank() && name.length() <= NAME_MAX && Validator.isPlain(name),
                            "name",
                            name,
                            "must be text of 1 to " + NAME_MAX + " characters")
                    .throwIfInvalid();
        }
    }
}
