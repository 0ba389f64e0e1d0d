package io.meridian.limiter.decide;

import io.meridian.model.match.Check;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * SHA-256 of a sequence of values, cut to 128 bits. Every value is preceded by its length and every list by its size, so no two
 * sequences are written alike.
 */
final class Digest {
    static final int HEX_LENGTH = 32;
    private static final int BYTES = HEX_LENGTH / 2;

    private final MessageDigest sha;

    private Digest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** Short key for a long text. */
    static String key(String prefix, String text) {
        return prefix + new Digest().text(text).hex();
    }

    /** Everything of a check that can change its answer. A field that a check gains belongs here too. */
    static String of(Check check) {
        return new Digest()
                .entries(check.attributes())
                .texts(check.segments())
                .text(check.method())
                .entries(check.headers())
                .number(check.cost())
                .texts(new TreeSet<>(check.policies()))
                .hex();
    }

    private Digest entries(Map<String, String> entries) {
        number(entries.size());
        new TreeMap<>(entries).forEach((name, value) -> text(name).text(value));
        return this;
    }

    private Digest texts(Collection<String> texts) {
        number(texts.size());
        texts.forEach(this::text);
        return this;
    }

    private Digest text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        sha.update(bytes);
        return this;
    }

    private Digest number(long number) {
        sha.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
        return this;
    }

    private String hex() {
        return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
    }
}
