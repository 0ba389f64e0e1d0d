package io.meridian.limiter.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import org.junit.jupiter.api.Test;

class DemandEstimatorTest {
    private static final long START = 1_768_474_800_000_000L;
    private static final long MILLI = 1_000;

    private final DemandEstimator demands = new DemandEstimator(10);

    @Test
    void one_request_at_the_beginning_of_a_window_is_no_reason_to_grant_a_region_everything() {
        assertThat(demands.perSecond(asked(1), SharingMode.ESCROW, START + 6 * MILLI))
                .isEqualTo(4);
    }

    @Test
    void many_requests_in_a_short_time_are() {
        assertThat(demands.perSecond(asked(400), SharingMode.ESCROW, START + 100 * MILLI))
                .isEqualTo(3_800);
    }

    @Test
    void a_bound_rests_on_all_that_came_however_little_it_says() {
        assertThat(demands.perSecond(asked(1), SharingMode.CONVERGE, START + 6 * MILLI))
                .isEqualTo(50);
    }

    @Test
    void what_came_since_the_last_look_counts() {
        demands.perSecond(asked(100), SharingMode.ESCROW, START + 1_000 * MILLI);

        assertThat(demands.perSecond(asked(125), SharingMode.ESCROW, START + 1_100 * MILLI))
                .isEqualTo(200);
    }

    @Test
    void requests_that_come_one_by_one_add_up_to_their_rate() {
        long found = 0;
        for (long i = 1; i <= 21; i++) {
            found = demands.perSecond(asked(i), SharingMode.ESCROW, START + i * 143 * MILLI);
        }

        assertThat(found).isBetween(7L, 8L);
    }

    @Test
    void what_came_long_ago_is_forgotten() {
        demands.perSecond(asked(100), SharingMode.ESCROW, START + 1_000 * MILLI);

        assertThat(demands.perSecond(asked(100), SharingMode.ESCROW, START + 9_000 * MILLI))
                .isEqualTo(1);
    }

    @Test
    void what_is_leased_and_given_back_again_and_again_is_no_demand() {
        long found = 0;
        for (long i = 1; i <= 21; i++) {
            // Ten are asked for at a time; fifty more are leased, and go back.
            long leased = i % 2 == 0 ? 50 : 0;
            found = demands.perSecond(
                    book(new UsageCount(60 * i + leased, 50 * i), 10 * i), SharingMode.ESCROW, START + i * 100 * MILLI);
        }

        assertThat(found).isBetween(95L, 110L);
    }

    private static DueAccount asked(long units) {
        return book(new UsageCount(units, 0), units);
    }

    private static DueAccount book(UsageCount count, long asked) {
        LimitWindow window = new LimitWindow("p", "k", START);
        return new DueAccount(window, 1, count, 0, 0, 0, 0, asked, TestKeys.KEYS.shard("p", "k"), "1");
    }
}
