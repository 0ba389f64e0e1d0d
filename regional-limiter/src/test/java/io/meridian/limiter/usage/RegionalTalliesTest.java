package io.meridian.limiter.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.lease.Ask;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegionalTalliesTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOW = 1_000 * MINUTE_MICROS;
    private static final RegionLife SELF = new RegionLife("us-east", 7);
    private static final Policy POLICY =
            Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 100, Window.parse("1m"));

    private final RegionalTallies tallies = new RegionalTallies(2);

    @Test
    void each_window_is_told_once_and_again_when_it_changed() {
        tallies.took(limit("a"), 3, NOW);
        tallies.gaveBack(limit("a"), 1, NOW);
        List<UsageRecord> first = tallies.changed(SELF, NOW, 10);
        assertThat(first).extracting(UsageRecord::count).containsExactly(new UsageCount(3, 1));

        assertThat(tallies.changed(SELF, NOW, 10)).as("until the log has it").hasSize(1);
        tallies.told(first, NOW);
        assertThat(tallies.changed(SELF, NOW, 10)).isEmpty();
        tallies.took(limit("a"), 1, NOW + 1);
        assertThat(tallies.changed(SELF, NOW, 10))
                .extracting(UsageRecord::count)
                .containsExactly(new UsageCount(4, 1));
    }

    @Test
    void what_is_told_of_late_adds_to_what_was_told_of_its_window() {
        RegionalTallies roomy = new RegionalTallies(10);
        roomy.took(limit("a"), 20, NOW);
        roomy.told(roomy.changed(SELF, NOW, 10), NOW + MINUTE_MICROS + 1);

        roomy.took(limit("a"), 5, NOW);

        assertThat(roomy.changed(SELF, NOW, 10)).extracting(UsageRecord::count).containsExactly(new UsageCount(25, 0));
    }

    @Test
    void a_window_that_is_long_over_is_forgotten() {
        RegionalTallies roomy = new RegionalTallies(10);
        roomy.took(limit("a"), 20, NOW);
        roomy.told(roomy.changed(SELF, NOW, 10), NOW + 3 * MINUTE_MICROS);

        roomy.took(limit("a"), 5, NOW);

        assertThat(roomy.changed(SELF, NOW, 10)).extracting(UsageRecord::count).containsExactly(new UsageCount(5, 0));
    }

    @Test
    void a_redis_that_lost_its_counters_is_charged_with_what_is_open_only() {
        tallies.took(limit("a"), 3, NOW);
        tallies.took(limit("a"), 5, NOW + MINUTE_MICROS);

        assertThat(tallies.open(NOW + MINUTE_MICROS))
                .extracting(Ask.Settle::cost)
                .containsExactly(5L);
    }

    @Test
    void beyond_the_bound_nothing_is_added_until_what_is_over_was_told() {
        tallies.took(limit("a"), 1, NOW);
        tallies.took(limit("b"), 1, NOW);
        tallies.took(limit("c"), 1, NOW);
        List<UsageRecord> changed = tallies.changed(SELF, NOW, 10);
        assertThat(changed).hasSize(2);

        tallies.told(changed, NOW + 2 * MINUTE_MICROS);
        tallies.took(limit("c"), 1, NOW + 2 * MINUTE_MICROS);
        assertThat(tallies.changed(SELF, NOW, 10)).hasSize(1);
    }

    @Test
    void more_is_never_given_back_than_was_taken() {
        tallies.took(limit("a"), 2, NOW);
        tallies.gaveBack(limit("a"), 5, NOW);

        assertThat(tallies.changed(SELF, NOW, 10).get(0).count()).isEqualTo(new UsageCount(2, 2));
    }

    private static Limit limit(String key) {
        return new Limit(POLICY, POLICY.counting().terms(), key, 1, 1);
    }
}
