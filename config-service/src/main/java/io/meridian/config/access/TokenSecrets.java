package io.meridian.config.access;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Makes tokens and their ids. A token's beginning gives it away, so that whoever finds one in a wrong place knows it. */
final class TokenSecrets {
    static final String PREFIX = "mrd_";

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenSecrets() {}

    static String token() {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
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
