package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.testkit.Histories;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ViolationRecordTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final ViolationRecord VIOLATION = new ViolationRecord(
            "api-default",
            3,
            "api_key=k-1",
            "us-east",
            100_000,
            250_000,
            1_768_474_800_000_000L,
            1_768_474_800_999_999L,
            true,
            "/api/v1/users",
            "GET",
            1_000,
            1_003,
            "1h");
    /** The same by a build that did not know of limit and window. */
    private static final ViolationRecord BEFORE = new ViolationRecord(
            VIOLATION.policyId(),
            VIOLATION.policyVersion(),
            VIOLATION.key(),
            VIOLATION.region(),
            VIOLATION.count(),
            VIOLATION.cost(),
            VIOLATION.firstMicros(),
            VIOLATION.lastMicros(),
            VIOLATION.shadow(),
            VIOLATION.endpoint(),
            VIOLATION.method(),
            0,
            0,
            "");

    /** What version 1 wrote. These bytes are in topics: they must be read for ever. */
    private static final String KEY_V1 = "0801120b6170692d64656661756c741a0b6170695f6b65793d6b2d31";

    private static final String VALUE_V1 = "080110031a0775732d6561737420a08d062890a10f308098fe81b28d920338bf9cbb82"
            + "b28d920340014a0d2f6170692f76312f75736572735203474554";

    private static final String VALUE_WITH_LIMIT = VALUE_V1 + "58e80760eb076a023168";

    @Test
    void the_bytes_of_version_1_are_as_they_always_were() {
        assertThat(HEX.formatHex(VIOLATION.recordKey())).isEqualTo(KEY_V1);
        assertThat(HEX.formatHex(VIOLATION.recordValue())).isEqualTo(VALUE_WITH_LIMIT);
    }

    @Test
    void the_bytes_of_version_1_are_read() {
        assertThat(decode(KEY_V1, VALUE_V1)).isEqualTo(BEFORE);
        assertThat(decode(KEY_V1, VALUE_WITH_LIMIT)).isEqualTo(VIOLATION);
    }

    @Test
    void a_field_of_a_later_build_is_skipped() {
        assertThat(decode(KEY_V1 + "7863", VALUE_V1 + "7202fffe")).isEqualTo(BEFORE);
    }

    @Test
    void a_field_that_an_earlier_build_did_not_write_has_its_default() {
        ViolationRecord bare = decode(KEY_V1, "08011a0775732d656173742001");

        assertThat(bare.count()).isEqualTo(1);
        assertThat(bare.shadow()).isFalse();
        assertThat(bare.endpoint()).isEmpty();
        assertThat(bare.limit()).isZero();
        assertThat(bare.window()).isEmpty();
    }

    @Test
    void a_version_of_the_future_is_refused() {
        assertThatThrownBy(() -> decode(KEY_V1, "0802"))
                .isInstanceOf(WireException.class)
                .hasMessage("violation version must be from 1 to 1, got 2");
    }

    @Test
    void numbers_that_cannot_be_are_refused_by_name() {
        assertThatThrownBy(() -> decode(KEY_V1, "08011a0775732d65617374"))
                .isInstanceOf(WireException.class)
                .hasMessage("impossible violation: count must be positive, got 0");
    }

    @Test
    void every_record_comes_back_as_it_was() {
        Histories.TODAY.forEach(random -> {
            ViolationRecord violation = violation(random);

            assertThat(ViolationRecord.decode(violation.recordKey(), violation.recordValue()))
                    .isEqualTo(violation);
        });
    }

    @Test
    void damaged_bytes_are_refused_or_read_but_never_anything_else() {
        Histories.TODAY.forEach(random -> {
            byte[] key = VIOLATION.recordKey();
            byte[] value = VIOLATION.recordValue();
            byte[] damaged = random.nextBoolean() ? key : value;
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(value, random.nextInt(value.length + 1));
            try {
                assertThat(ViolationRecord.decode(key, cut)).isNotNull();
            } catch (WireException refused) {
                assertThat(refused).hasMessageMatching("(malformed|impossible|violation|field).*");
            }
        });
    }

    private static ViolationRecord decode(String key, String value) {
        return ViolationRecord.decode(HEX.parseHex(key), HEX.parseHex(value));
    }

    private static ViolationRecord violation(SplittableRandom random) {
        long firstMicros = random.nextLong(Long.MAX_VALUE / 2);
        return new ViolationRecord(
                "p" + random.nextInt(),
                random.nextLong(Long.MAX_VALUE),
                random.nextBoolean() ? "" : "user_id=Ωλ日本" + random.nextInt(),
                "r" + random.nextInt(),
                1 + random.nextLong(Long.MAX_VALUE - 1),
                random.nextLong(Long.MAX_VALUE),
                firstMicros,
                firstMicros + random.nextLong(Long.MAX_VALUE / 2),
                random.nextBoolean(),
                "/é".repeat(random.nextInt(ViolationRecord.ENDPOINT_MAX / 2)),
                random.nextBoolean() ? "" : "DELETE",
                random.nextLong(Long.MAX_VALUE),
                random.nextLong(Long.MAX_VALUE),
                random.nextBoolean() ? "" : "90s");
    }
}
