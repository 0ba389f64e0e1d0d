package io.meridian.model.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Hash of a token, all that is stored of it. A token is 32 random bytes, so one round of SHA-256 is as good as any: there is nothing to guess
 * that a slow hash would slow down.
 */
public final class TokenHash {
    private static final int BYTES = 32;

    private final byte[] bytes;

    public TokenHash(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a hash must have " + BYTES + " bytes, got " + bytes.length);
        }
        this.bytes = bytes.clone();
    }

    public static TokenHash of(String token) {
        try {
            return new TokenHash(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The hash of 64 hexadecimal digits. What is none is not repeated: it may be a token. */
    static TokenHash ofHex(String hex) {
        if (hex.length() != 2 * BYTES || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("a hash must have " + 2 * BYTES + " hexadecimal digits");
        }
        return new TokenHash(HexFormat.of().parseHex(hex));
    }

    /** Index by which it is found: half of it, which reveals nothing of the token. The whole is then compared in constant time. */
    public String index() {
        return HexFormat.of().formatHex(bytes, 0, BYTES / 2);
    }

    /** Whether both are of one token, in a time that does not depend on where they differ. */
    public boolean isSame(TokenHash other) {
        return MessageDigest.isEqual(bytes, other.bytes);
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public String toString() {
        return "TokenHash";
    }
}
