package io.meridian.drill.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.targets.UsageTopic.UsageTotals;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import org.junit.jupiter.api.Test;

class UsageTotalsTest {
    private static final LimitWindow LIMIT = new LimitWindow("p", "user_id=42", 15_000_000);

    private final UsageTotals totals = new UsageTotals();

    @Test
    void what_was_given_back_does_not_count_and_repetition_and_order_do_not_matter() {
        add(LIMIT, "a", 1, 10, 2);
        add(LIMIT, "a", 1, 7, 0);
        add(LIMIT, "a", 1, 10, 2);

        assertThat(totals.of(LIMIT).total()).isEqualTo(8);
    }

    @Test
    void all_lives_of_all_regions_add_up() {
        add(LIMIT, "a", 1, 10, 0);
        add(LIMIT, "a", 2, 5, 0);
        add(LIMIT, "b", 1, 1, 0);

        assertThat(totals.of(LIMIT).total()).isEqualTo(16);
        assertThat(totals.of(LIMIT).of("a")).isEqualTo(15);
    }

    @Test
    void windows_and_keys_are_kept_apart() {
        add(LIMIT, "a", 1, 10, 0);

        assertThat(totals.of(new LimitWindow("p", "user_id=42", 30_000_000)).total())
                .isZero();
        assertThat(totals.of(new LimitWindow("p", "user_id=43", 15_000_000)).total())
                .isZero();
    }

    /** Goes over the wire, as the topic's records do. */
    private void add(LimitWindow limit, String region, long life, long taken, long returned) {
        UsageRecord record = new UsageRecord(
                limit,
                new RegionIncarnation(region, life),
                WindowRule.ofVersion(1),
                new UsageCount(taken, returned),
                0,
                0,
                0,
                0);
        totals.add(UsageRecord.decode(record.key(), record.value()));
    }
}
