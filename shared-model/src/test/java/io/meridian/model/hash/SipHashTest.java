package io.meridian.model.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {
    private static final SipHash HASH = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

    /** The authors' test vectors: of the first n bytes 00 01 02 …, under the key 00 01 … 0f, in the order of bytes. */
    private static final String VECTORS = """
            310e0edd47db6f72 fd67dc93c539f874 5a4fa9d909806c0d 2d7efbd796666785
            b7877127e09427cf 8da699cd64557618 cee3fe586e46c9cb 37d1018bf50002ab
            6224939a79f5f593 b0e4a90bdf82009e f3b9dd94c5bb5d7a a7ad6b22462fb3f4
            fbe50e86bc8f1e75 903d84c02756ea14 eef27a8e90ca23f7 e545be4961ca29a1
            db9bc2577fcc2a3f 9447be2cf5e99a69 9cd38d96f0b3c14b bd6179a71dc96dbb
            98eea21af25cd6be c7673b2eb0cbf2d0 883ea3e395675393 c8ce5ccd8c030ca8
            94af49f6c650adb8 eab8858ade92e1bc f315bb5bb835d817 adcf6b0763612e2f
            a5c91da7acaa4dde 716595876650a2a6 28ef495c53a387ad 42c341d8fa92d832
            ce7cf2722f512771 e37859f94623f3a7 381205bb1ab0e012 ae97a10fd434e015
            b4a31508beff4d31 81396229f0907902 4d0cf49ee5d4dcca 5c73336a76d8bf9a
            d0a704536ba93e0e 925958fcd6420cad a915c29bc8067318 952b79f3bc0aa6d4
            f21df2e41d4535f9 87577519048f53a9 10a56cf5dfcd9adb eb75095ccd986cd0
            51a9cb9ecba312e6 96afadfc2ce666c7 72fe52975a4364ee 5a1645b276d592a1
            b274cb8ebf87870a 6f9bb4203de7b381 eaecb2a30b22a87f 9924a43cc1315724
            bd838d3aafbf8db7 0b1a2a3265d51aea 135079a3231ce660 932b2846e4d70666
            e1915f5cb1eca46c f325965ca16d629f 575ff28e60381be5 724506eb4c328a95
            """;

    @Test
    void it_has_the_published_results() {
        String[] vectors = VECTORS.strip().split("\\s+");
        byte[] message = new byte[vectors.length];
        for (int length = 0; length < vectors.length; length++) {
            message[length] = (byte) length;
            long expected = Long.reverseBytes(HexFormat.fromHexDigitsToLong(vectors[length]));

            assertThat(HASH.of(message, 0, length)).as("of %d bytes", length).isEqualTo(expected);
        }
        assertThat(vectors).hasSize(64);
    }

    @Test
    void it_hashes_a_part_of_an_array() {
        byte[] message = "xxthe quick brown fox".getBytes(StandardCharsets.US_ASCII);
        byte[] part = "the quick brown".getBytes(StandardCharsets.US_ASCII);

        assertThat(HASH.of(message, 2, part.length)).isEqualTo(HASH.of(part, 0, part.length));
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "p, user_id=1",
        "api-default, 'tenant=acme,user_id=42'",
        "p, user_id=é",
        "p, user_id=日本",
        "ключ, 'a😀b'",
        "12345678, ''",
        "'', 12345678"
    })
    void two_texts_are_one_message_of_bytes(String first, String second) {
        byte[] message = message(first, second);

        assertThat(HASH.of(first, second)).isEqualTo(HASH.of(message, 0, message.length));
    }

    @Test
    void where_one_text_ends_and_how_wide_its_characters_are_makes_another_message() {
        Set<Long> hashes = new HashSet<>();
        hashes.add(HASH.of("ab", "c"));
        hashes.add(HASH.of("a", "bc"));
        hashes.add(HASH.of("ab", "c\0"));
        // The same bytes, as characters of one byte and of two.
        hashes.add(HASH.of("", "aa"));
        hashes.add(HASH.of("", "\u6161"));

        assertThat(hashes).hasSize(5);
    }

    private static byte[] message(String first, String second) {
        boolean wide = (first + second).chars().anyMatch(each -> each > 0xff);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong((wide ? 2 : 1) | (long) first.length() << 8)
                .array());
        message.writeBytes((first + second).getBytes(wide ? StandardCharsets.UTF_16LE : StandardCharsets.ISO_8859_1));
        return message.toByteArray();
    }
}
