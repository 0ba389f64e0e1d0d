package io.meridian.limiter.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** What chance makes of good bytes. */
final class Mutations {
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "true",
            "-",
            "1e999",
            "99999999999999999999",
            "0.5",
            "\\u0000",
            "\\ud800",
            "\\",
            "\u0000",
            "\uFEFF",
            "\n",
            "é",
            "𝄞",
            "\"cost\":",
            "\"attributes\":{",
            "\"ip\":\"::\"",
            "%",
            "%00",
            "%ff",
            "..",
            "//",
            ";",
            "?",
            "&",
            "=",
            "#",
            "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}");
    private static final List<Charset> CHARSETS = List.of(
            StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.ISO_8859_1, Charset.forName("UTF-32"));

    private final SplittableRandom random;

    Mutations(SplittableRandom random) {
        this.random = random;
    }

    <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    byte[] random(int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Some bytes flipped, cut, repeated or put in between, or all of them in another encoding. */
    byte[] mutated(String good) {
        byte[] bytes = good.getBytes(random.nextInt(20) == 0 ? one(CHARSETS) : StandardCharsets.UTF_8);
        for (int i = random.nextInt(5); i >= 0; i--) {
            bytes = mutated(bytes);
        }
        return bytes;
    }

    private byte[] mutated(byte[] bytes) {
        if (bytes.length == 0) {
            return random(64);
        }
        int at = random.nextInt(bytes.length);
        int to = at + random.nextInt(bytes.length - at + 1);
        return switch (random.nextInt(6)) {
            case 0 -> {
                byte[] flipped = bytes.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                yield flipped;
            }
            case 1 -> Arrays.copyOf(bytes, at);
            case 2 -> joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, to, bytes.length));
            case 3 -> joined(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, at, bytes.length));
            case 4 -> joined(Arrays.copyOf(bytes, at), random(16), Arrays.copyOfRange(bytes, at, bytes.length));
            default ->
                joined(
                        Arrays.copyOf(bytes, at),
                        one(PIECES).getBytes(StandardCharsets.UTF_8),
                        Arrays.copyOfRange(bytes, at, bytes.length));
        };
    }

    /** The same without what would end a line or a word of HTTP, so that the request around it stays one. */
    String word(String good) {
        StringBuilder word = new StringBuilder(new String(mutated(good), StandardCharsets.ISO_8859_1));
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) <= ' ') {
                word.setCharAt(i, '~');
            }
        }
        return word.isEmpty() ? "/" : word.toString();
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
