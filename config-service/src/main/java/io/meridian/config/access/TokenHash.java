package io.meridian.config.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What is kept of a token. A token is 32 random bytes, so one round of SHA-256 is as good as any: there is nothing to guess
 * that a slow hash would slow down.
 */
final class TokenHash {
    private final byte[] bytes;

    TokenHash(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    static TokenHash of(String token) {
        try {
            return new TokenHash(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** By what it is found: half of it, which tells nothing of the token. The whole is then compared in constant time. */
    String index() {
        return HexFormat.of().formatHex(bytes, 0, bytes.length / 2);
    }

    boolean isSame(TokenHash other) {
        return MessageDigest.isEqual(bytes, other.bytes);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return "TokenHash";
    }
}
