package io.meridian.config.access;

import io.meridian.model.access.TokenText;
import io.meridian.model.rules.Identifier;
import io.meridian.model.validation.Validator;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Stored token, without its secret. */
public record Token(
        String id,
        String name,
        AdminRole role,
        Optional<String> tenant,
        Instant createdAt,
        String createdBy,
        Optional<Instant> expiresAt) {
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

    /** Whether checks can have this tenant. */
    static boolean isTenant(String text) {
        return !text.isEmpty()
                && text.codePointCount(0, text.length()) <= Identifier.VALUE_MAX
                && Validator.isPlain(text);
    }

    boolean isLive(Instant now) {
        return expiresAt.map(end -> now.isBefore(end)).orElse(true);
    }

    AdminCaller caller() {
        return new AdminCaller(name + " (" + id + ")", role, tenant);
    }

    /**
     * Requested token.
     *
     * @param tenant of a tenant admin; empty for every other role
     */
    public record Draft(String name, AdminRole role, Optional<String> tenant, Optional<Instant> expiresAt) {
        private static final int NAME_MAX = 100;

        public Draft(String name, AdminRole role, Optional<Instant> expiresAt) {
            this(name, role, Optional.empty(), expiresAt);
        }

        public Draft {
            boolean isTenantAdmin = role == AdminRole.TENANT_ADMIN;
            new Validator()
                    .require(
                            !name.isBlank() && name.length() <= NAME_MAX && Validator.isPlain(name),
                            "name",
                            name,
                            "must be text of 1 to " + NAME_MAX + " characters")
                    .require(
                            tenant.isPresent() == isTenantAdmin,
                            "tenant",
                            tenant.orElse("nothing"),
                            isTenantAdmin
                                    ? "is required with the role tenant_admin"
                                    : "must be left out unless the role is tenant_admin")
                    .require(
                            tenant.map(Token::isTenant).orElse(true),
                            "tenant",
                            tenant.orElse(""),
                            "must be text of 1 to " + Identifier.VALUE_MAX + " characters")
                    .throwIfInvalid();
        }
    }
}
