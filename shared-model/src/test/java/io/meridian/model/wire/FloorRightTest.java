package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.validation.ValidationException;
import org.junit.jupiter.api.Test;

class FloorRightTest {
    private static final FloorRight RIGHT =
            new FloorRight(new RegionIncarnation("us-east", 7), 3, 8, 1_000_000, 2_000_000, -5);

    @Test
    void a_right_is_read_back_as_it_was_written() {
        assertThat(FloorRight.isFloorRight(RIGHT.key())).isTrue();
        assertThat(FloorRight.decode(RIGHT.key(), RIGHT.value())).isEqualTo(RIGHT);
    }

    @Test
    void a_range_that_is_extended_keeps_its_key_so_that_compaction_keeps_the_last() {
        assertThat(RIGHT.until(3_000_000).key()).isEqualTo(RIGHT.key());
        assertThat(new FloorRight(RIGHT.incarnation(), 3, 8, 2_000_000, 3_000_000, -5).key())
                .isNotEqualTo(RIGHT.key());
    }

    @Test
    void neither_a_beat_nor_a_verdict_is_taken_for_a_right() {
        assertThat(FloorRight.isFloorRight(LeaderBeat.key())).isFalse();
        assertThat(FloorRight.isFloorRight(new byte[] {8, 1, 18, 1, 'p'})).isFalse();
    }

    @Test
    void what_cannot_be_is_refused() {
        assertThatThrownBy(() -> new FloorRight(RIGHT.incarnation(), 8, 8, 0, 1, 0))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> RIGHT.until(1_000_000)).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> FloorRight.decode(RIGHT.key(), new byte[] {8, 1}))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> FloorRight.decode(
                        "floorless".getBytes(java.nio.charset.StandardCharsets.US_ASCII), RIGHT.value()))
                .isInstanceOf(WireException.class);
    }
}
