package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.testkit.Histories;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CodecTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final LimitWindow LIMIT = new LimitWindow("api-default", "api_key=k-1", 1_768_474_800_000_000L);
    private static final RegionIncarnation LIFE = new RegionIncarnation("us-east", -77);
    private static final UsageRecord USAGE = new UsageRecord(
            LIMIT, LIFE, WindowRule.ofVersion(3), new UsageCount(1_000, 12), 40, 250, 30, 1_768_474_800_123_456L);
    private static final VerdictRecord VERDICT = new VerdictRecord(
            LIMIT, LIFE, 5, 17, WindowRule.ofVersion(3), 900, true, 400, 0, 1_768_474_800_123_456L, 0);

    /** What version 1 wrote. These bytes are in topics: they must be read for ever. */
    private static final String KEY_V1 = "0801120b6170692d64656661756c741a0b6170695f6b65793d6b2d31208098fe81b28d9203"
            + "2a0775732d6561737430b3ffffffffffffffff01";

    private static final String USAGE_V1 = "0801100318e807200c282830fa0138c0dc8582b28d9203401e";
    private static final String VERDICT_V1 = "08011005181120032884073001389003400148c0dc8582b28d9203";

    @Test
    void the_bytes_of_version_1_are_as_they_always_were() {
        assertThat(HEX.formatHex(USAGE.key())).isEqualTo(KEY_V1);
        assertThat(HEX.formatHex(USAGE.value())).isEqualTo(USAGE_V1);
        assertThat(HEX.formatHex(VERDICT.key())).isEqualTo(KEY_V1);
        assertThat(HEX.formatHex(VERDICT.value())).isEqualTo(VERDICT_V1);
    }

    @Test
    void the_bytes_of_version_1_are_read() {
        assertThat(UsageRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex(USAGE_V1)))
                .isEqualTo(USAGE);
        assertThat(VerdictRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex(VERDICT_V1)))
                .isEqualTo(VERDICT);
    }

    @Test
    void a_field_of_a_later_build_is_skipped() {
        byte[] withNumber = HEX.parseHex(USAGE_V1 + "7863");
        byte[] withBytes = HEX.parseHex(USAGE_V1 + "7202fffe");
        byte[] withFarField = HEX.parseHex(USAGE_V1 + "a006" + "07");

        assertThat(UsageRecord.decode(HEX.parseHex(KEY_V1), withNumber)).isEqualTo(USAGE);
        assertThat(UsageRecord.decode(HEX.parseHex(KEY_V1), withBytes)).isEqualTo(USAGE);
        assertThat(UsageRecord.decode(HEX.parseHex(KEY_V1), withFarField)).isEqualTo(USAGE);
    }

    @Test
    void a_field_that_an_earlier_build_did_not_write_has_its_default() {
        UsageRecord bare = UsageRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex("0801"));
        VerdictRecord verdict = VerdictRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex("0801"));

        assertThat(bare.count()).isEqualTo(UsageCount.ZERO);
        assertThat(verdict.keep()).isEqualTo(VerdictRecord.KEEP_ALL);
        assertThat(verdict.blocked()).isFalse();
    }

    @Test
    void a_version_of_the_future_is_refused_by_number() {
        assertThatThrownBy(() -> UsageRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex("0802")))
                .isInstanceOf(WireException.class)
                .hasMessage("usage version must be from 1 to 1, got 2");
    }

    @Test
    void numbers_that_cannot_be_are_refused_by_name() {
        assertThatThrownBy(() -> VerdictRecord.decode(HEX.parseHex(KEY_V1), HEX.parseHex("080138fbffffffffffffffff01")))
                .isInstanceOf(WireException.class)
                .hasMessage("impossible verdict: granted must not be negative, got -5");
    }

    @Test
    void every_record_comes_back_as_it_was() {
        Histories.TODAY.forEach(random -> {
            UsageRecord usage = randomUsage(random);
            VerdictRecord verdict = randomVerdict(random, usage);

            assertThat(UsageRecord.decode(usage.key(), usage.value())).isEqualTo(usage);
            assertThat(VerdictRecord.decode(verdict.key(), verdict.value())).isEqualTo(verdict);
        });
    }

    @Test
    void a_beat_comes_back_as_it_was_and_is_no_verdict() {
        LeaderBeat beat = new LeaderBeat(7, "sync-1", 1_768_474_800_123_456L);

        assertThat(LeaderBeat.decode(beat.value())).isEqualTo(beat);
        assertThat(LeaderBeat.isBeat(LeaderBeat.key())).isTrue();
        assertThat(LeaderBeat.isBeat(VERDICT.key())).isFalse();
        assertThatThrownBy(() -> VerdictRecord.decode(LeaderBeat.key(), beat.value()))
                .isInstanceOf(WireException.class);
    }

    @Test
    void damaged_bytes_are_refused_or_read_but_never_anything_else() {
        Histories.TODAY.forEach(random -> {
            byte[] key = USAGE.key();
            byte[] value = USAGE.value();
            byte[] damaged = random.nextBoolean() ? key : value;
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(value, random.nextInt(value.length + 1));
            try {
                assertThat(UsageRecord.decode(key, cut)).isNotNull();
                assertThat(VerdictRecord.decode(key, cut)).isNotNull();
            } catch (WireException refused) {
                assertThat(refused)
                        .hasMessageMatching("(malformed|incomplete|impossible|record key|usage|verdict|field).*");
            }
        });
    }

    private static UsageRecord randomUsage(SplittableRandom random) {
        LimitWindow limit =
                new LimitWindow("p" + random.nextInt(), "user_id=Ωλ日本" + random.nextInt(), random.nextLong());
        long taken = random.nextLong(Long.MAX_VALUE);
        return new UsageRecord(
                limit,
                new RegionIncarnation("r" + random.nextInt(), random.nextLong()),
                rule(random),
                new UsageCount(taken, random.nextLong(taken + 1)),
                natural(random),
                natural(random),
                natural(random),
                random.nextLong());
    }

    private static VerdictRecord randomVerdict(SplittableRandom random, UsageRecord usage) {
        return new VerdictRecord(
                usage.limit(),
                usage.incarnation(),
                natural(random),
                natural(random),
                rule(random),
                natural(random),
                random.nextBoolean(),
                natural(random),
                random.nextBoolean() ? VerdictRecord.KEEP_ALL : random.nextLong(Long.MAX_VALUE - 1),
                random.nextLong(),
                natural(random));
    }

    private static WindowRule rule(SplittableRandom random) {
        return new WindowRule(
                natural(random),
                natural(random),
                natural(random),
                SharingMode.ofCode(random.nextInt(4)),
                AfterHeal.ofCode(random.nextInt(3)));
    }

    private static long natural(SplittableRandom random) {
        return random.nextLong(Long.MAX_VALUE);
    }
}
