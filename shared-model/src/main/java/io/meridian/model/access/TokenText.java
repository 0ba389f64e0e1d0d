package io.meridian.model.access;

import java.util.Base64;

/** Tokens as text. A token's beginning gives it away, so that whoever finds one in a wrong place knows it. */
public final class TokenText {
    public static final String PREFIX = "mrd_";
    public static final int RANDOM_BYTES = 32;

    private TokenText() {}

    /** The token of so many bytes, which must come from a secure random number generator. */
    public static String of(byte[] random) {
        if (random.length != RANDOM_BYTES) {
            throw new IllegalArgumentException("a token must have " + RANDOM_BYTES + " bytes, got " + random.length);
        }
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
