package io.meridian.limiter.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.UsageRecord;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RegionalTalliesTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOW = 1_000 * MINUTE_MICROS;
    private static final RegionIncarnation SELF = new RegionIncarnation("us-east", 7);
    private static final Policy POLICY =
            Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 100, Window.parse("1m"));

    private final AtomicLong dropped = new AtomicLong();
    private final RegionalTallies tallies = new RegionalTallies(2, dropped::addAndGet);

    @Test
    void each_window_is_told_once_and_again_when_it_changed() {
        tallies.charged(limit("a"), 3, NOW);
        tallies.refunded(limit("a"), 1, NOW);
        List<UsageRecord> first = changed(tallies, NOW);
        assertThat(first).extracting(UsageRecord::count).containsExactly(new UsageCount(3, 1));

        assertThat(changed(tallies, NOW)).as("until the log has it").hasSize(1);
        tallies.told(first);
        assertThat(changed(tallies, NOW)).isEmpty();
        tallies.charged(limit("a"), 1, NOW + 1);
        assertThat(changed(tallies, NOW)).extracting(UsageRecord::count).containsExactly(new UsageCount(4, 1));
    }

    @Test
    void what_is_told_of_late_adds_to_what_was_told_of_its_window() {
        RegionalTallies roomy = new RegionalTallies(10, dropped::addAndGet);
        roomy.charged(limit("a"), 20, NOW);
        roomy.told(changed(roomy, NOW));
        assertThat(changed(roomy, NOW + MINUTE_MICROS + 1)).isEmpty();

        roomy.charged(limit("a"), 5, NOW);

        assertThat(changed(roomy, NOW)).extracting(UsageRecord::count).containsExactly(new UsageCount(25, 0));
    }

    @Test
    void a_window_that_is_long_over_is_forgotten() {
        RegionalTallies roomy = new RegionalTallies(10, dropped::addAndGet);
        roomy.charged(limit("a"), 20, NOW);
        roomy.told(changed(roomy, NOW));
        assertThat(changed(roomy, NOW + 3 * MINUTE_MICROS)).isEmpty();

        roomy.charged(limit("a"), 5, NOW);

        assertThat(changed(roomy, NOW)).extracting(UsageRecord::count).containsExactly(new UsageCount(5, 0));
    }

    @Test
    void a_redis_that_lost_its_counters_is_charged_with_what_is_open_only() {
        tallies.charged(limit("a"), 3, NOW);
        tallies.charged(limit("a"), 5, NOW + MINUTE_MICROS);

        assertThat(tallies.open(NOW + MINUTE_MICROS))
                .extracting(CounterRequest.Charge::cost)
                .containsExactly(5L);
    }

    @Test
    void beyond_the_bound_nothing_is_added_until_what_is_over_was_told() {
        tallies.charged(limit("a"), 1, NOW);
        tallies.charged(limit("b"), 1, NOW);
        tallies.charged(limit("c"), 1, NOW);
        List<UsageRecord> changed = changed(tallies, NOW);
        assertThat(changed).hasSize(2);
        assertThat(dropped).hasValue(1);

        tallies.told(changed);
        assertThat(changed(tallies, NOW + 2 * MINUTE_MICROS)).isEmpty();
        tallies.charged(limit("c"), 1, NOW + 2 * MINUTE_MICROS);
        assertThat(changed(tallies, NOW)).hasSize(1);
        assertThat(dropped).hasValue(1);
    }

    @Test
    void more_is_never_given_back_than_was_taken() {
        tallies.charged(limit("a"), 2, NOW);
        tallies.refunded(limit("a"), 5, NOW);

        assertThat(changed(tallies, NOW).get(0).count()).isEqualTo(new UsageCount(2, 2));
    }

    @Test
    void what_is_not_a_regions_own_or_of_nobodys_interest_is_not_missed() {
        RegionalTallies full = new RegionalTallies(0, dropped::addAndGet);
        full.refunded(limit("a"), 1, NOW);
        full.stop();
        full.charged(limit("a"), 1, NOW);

        assertThat(dropped).hasValue(0);
    }

    @Test
    void one_pass_finds_each_that_has_changed_in_batches() {
        RegionalTallies many = new RegionalTallies(100, dropped::addAndGet);
        for (int i = 0; i < 25; i++) {
            many.charged(limit("key-" + i), 1, NOW);
        }
        RegionalTallies.Pass pass = many.pass(SELF, NOW);

        assertThat(pass.next(10)).hasSize(10);
        assertThat(pass.next(10)).hasSize(10);
        assertThat(pass.next(10)).hasSize(5);
        assertThat(pass.next(10)).isEmpty();
        assertThat(many.size()).isEqualTo(25);
    }

    private static List<UsageRecord> changed(RegionalTallies of, long nowMicros) {
        return of.pass(SELF, nowMicros).next(10);
    }

    private static Limit limit(String key) {
        return new Limit(POLICY, POLICY.limitSpec().quota(), key, 1, 1);
    }
}
