package io.meridian.model.hash;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The secret of a deployment under which counters and shards are named: 128 random bits, the same for all limiters and sync replicas. Never
 * shown; its check value tells two secrets apart.
 */
public final class KeySecret {
    /** The setting that holds the secret. */
    public static final String SETTING = "meridian.keys.secret";

    /** The setting that names a file with the secret. */
    public static final String FILE_SETTING = "meridian.keys.secret-file";

    private static final int HEX_DIGITS = 32;
    private static final byte[] CHECKED = "meridian key check".getBytes(StandardCharsets.US_ASCII);

    private final SipHash hash;

    private KeySecret(SipHash hash) {
        this.hash = hash;
    }

    /** 32 hexadecimal digits. */
    public static KeySecret parse(String digits) {
        return parse(SETTING, digits);
    }

    /**
     * The secret of whichever of the two settings is there.
     *
     * @param secret the value of {@link #SETTING}
     * @param textOfFile what is in the file of {@link #FILE_SETTING}
     */
    public static KeySecret configured(Optional<String> secret, Optional<String> textOfFile) {
        if (secret.isPresent() && textOfFile.isPresent()) {
            throw new IllegalArgumentException("of " + SETTING + " and " + FILE_SETTING + " only one may be set");
        }
        if (textOfFile.isPresent()) {
            return parse(FILE_SETTING, textOfFile.get().strip());
        }
        return parse(
                SETTING,
                secret.orElseThrow(() -> new IllegalArgumentException(SETTING + " or " + FILE_SETTING + " must be set: "
                        + HEX_DIGITS + " hex digits, the same for all limiters and sync replicas")));
    }

    /** The value itself is in no message: it may be nearly right. */
    private static KeySecret parse(String setting, String digits) {
        if (digits.length() != HEX_DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException(
                    setting + " must be " + HEX_DIGITS + " hex digits, got " + digits.length() + " characters");
        }
        return new KeySecret(new SipHash(number(digits, 0), number(digits, HEX_DIGITS / 2)));
    }

    private static long number(String digits, int from) {
        return Long.reverseBytes(HexFormat.fromHexDigitsToLong(digits, from, from + HEX_DIGITS / 2));
    }

    public SipHash hash() {
        return hash;
    }

    /** A number that is the same only for the same secret, and reveals nothing of it. */
    public int checkValue() {
        return (int) hash.of(CHECKED, 0, CHECKED.length);
    }

    /** The check value as eight hex digits. */
    public String check() {
        return HexFormat.of().toHexDigits(checkValue());
    }

    @Override
    public String toString() {
        return "KeySecret[check=" + check() + "]";
    }
}
