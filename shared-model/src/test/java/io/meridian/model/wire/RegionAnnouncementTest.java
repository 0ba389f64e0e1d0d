package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RegionAnnouncementTest {
    private static final RegionAnnouncement ANNOUNCEMENT =
            new RegionAnnouncement(new RegionIncarnation("us-east", 77), 1_768_474_800_123_456L);
    /** As version 1 wrote it. */
    private static final String KEY_V1 = "726567696f6e08011207" + "75732d65617374" + "184d";

    private static final String VALUE_V1 = "080110c0dc8582b28d9203";

    @Test
    void the_bytes_of_version_1_are_written_and_read() {
        assertThat(HexFormat.of().formatHex(ANNOUNCEMENT.key())).isEqualTo(KEY_V1);
        assertThat(HexFormat.of().formatHex(ANNOUNCEMENT.value())).isEqualTo(VALUE_V1);
        assertThat(RegionAnnouncement.decode(
                        HexFormat.of().parseHex(KEY_V1), HexFormat.of().parseHex(VALUE_V1)))
                .isEqualTo(ANNOUNCEMENT);
    }

    @Test
    void it_is_told_from_a_record_of_usage_by_its_key() {
        UsageRecord usage = new UsageRecord(
                new LimitWindow("region", "region", 1_768_474_800_000_000L),
                new RegionIncarnation("region", 1),
                WindowRule.ofVersion(1),
                UsageCount.ZERO,
                0,
                0,
                0,
                1);

        assertThat(RegionAnnouncement.isAnnouncement(ANNOUNCEMENT.key())).isTrue();
        assertThat(RegionAnnouncement.isAnnouncement(usage.key())).isFalse();
        assertThat(RegionAnnouncement.isAnnouncement(new byte[0])).isFalse();
    }

    @Test
    void a_broken_key_or_value_is_refused() {
        byte[] key = ANNOUNCEMENT.key();

        assertThatThrownBy(() -> RegionAnnouncement.decode(Arrays.copyOf(key, key.length - 3), ANNOUNCEMENT.value()))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> RegionAnnouncement.decode(key, new byte[] {8, 9}))
                .isInstanceOf(WireException.class);
    }
}
