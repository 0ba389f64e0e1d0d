package io.meridian.config.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.live.DenialSummary.DenialItem;
import io.meridian.config.live.DenialSummary.Denials;
import io.meridian.model.wire.ViolationRecord;
import org.junit.jupiter.api.Test;

class DenialSummaryTest {
    private final DenialSummary summary = new DenialSummary();

    @Test
    void denials_of_a_limit_add_up_and_the_most_denied_come_first() {
        summary.add(denial("user_id=1", 2, false));
        summary.add(denial("user_id=2", 5, false));
        summary.add(denial("user_id=1", 4, false));
        summary.add(denial("user_id=1", 9, true));

        Denials drained = summary.drain().orElseThrow();

        assertThat(drained.denied()).isEqualTo(11);
        assertThat(drained.shadow()).isEqualTo(9);
        assertThat(drained.more()).isZero();
        assertThat(drained.items()).extracting(DenialItem::count).containsExactly(9L, 6L, 5L);
        assertThat(summary.drain()).isEmpty();
    }

    @Test
    void what_is_beyond_the_bounds_is_in_the_totals() {
        int keys = DenialSummary.KEYS_MAX + 7;
        for (int i = 0; i < keys; i++) {
            summary.add(denial("user_id=" + i, 1, false));
        }

        Denials drained = summary.drain().orElseThrow();

        assertThat(drained.denied()).isEqualTo(keys);
        assertThat(drained.items()).hasSize(DenialSummary.LISTED_MAX);
        assertThat(drained.more()).isEqualTo(keys - DenialSummary.LISTED_MAX);
    }

    @Test
    void an_impossible_time_is_shown_as_none() {
        summary.add(new ViolationRecord(
                "p", 1, "k", "us-east", 1, 1, Long.MIN_VALUE, Long.MAX_VALUE, false, "/", "GET", 0, 0, ""));

        assertThat(summary.drain().orElseThrow().items().get(0).at()).isEqualTo("1970-01-01T00:00:00Z");
    }

    private static ViolationRecord denial(String key, long count, boolean shadow) {
        return new ViolationRecord("p", 1, key, "us-east", count, count, 1, 2, shadow, "/", "GET", 0, 0, "");
    }
}
