package io.meridian.config.access;

import io.meridian.model.access.TokenText;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes tokens and their ids. */
final class TokenSecrets {
    private static final int ID_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenSecrets() {}

    static String token() {
        return TokenText.of(random(TokenText.RANDOM_BYTES));
    }

    static String id() {
        return HexFormat.of().formatHex(random(ID_BYTES));
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }
}
