package io.meridian.limiter.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.decision.Decision;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an instance asks of its region, and what it spends from memory. */
class LeasesTest {
    private static final long NOON = 1_800_000_000_000_000L;
    private static final Map<String, String> ANN = Map.of("user_id", "ann", "tenant", "acme");

    private final ManualTime time = new ManualTime(NOON);
    private final MemoryRegion region = new MemoryRegion(time);

    @Test
    void a_cold_key_takes_exactly_its_cost() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 1_000, "1h"));

        CheckResult.Decided ruling = decided(instance.check(ANN, 3));

        assertThat(ruling.limits()).extracting(LimitResult::decidedBy).containsExactly(DecidedBy.REGION);
        assertThat(remaining(ruling)).isEqualTo(997);
        assertThat(instance.leases.release(NOON, true)).isEmpty();
    }

    @Test
    void a_hot_key_is_spent_from_memory() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 1_000_000, "1h"));

        for (int i = 1; i <= 10_000; i++) {
            time.advance(100);
            assertThat(remaining(decided(instance.check(ANN, 1)))).isEqualTo(1_000_000 - i);
        }

        assertThat(region.asks).isLessThan(100);
    }

    @ParameterizedTest
    @EnumSource(names = {"SLIDING_WINDOW_LOG", "LEAKY_BUCKET"})
    void an_algorithm_that_promises_exact_times_never_leases_ahead(Algorithm algorithm) {
        Instance instance = new Instance(region, policy("a", algorithm, 100_000, "1h"));

        for (int i = 1; i <= 1_000; i++) {
            time.advance(100);
            instance.check(ANN, 1);
        }

        assertThat(region.asks).isEqualTo(1_000);
    }

    @Test
    void a_flood_of_refused_checks_costs_the_region_nothing() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 5, "1h"));
        for (int i = 0; i < 6; i++) {
            instance.check(ANN, 1);
        }
        int before = region.asks;

        for (int i = 0; i < 1_000; i++) {
            time.advance(100);
            CheckResult.Decided ruling = decided(instance.check(ANN, 1));
            assertThat(ruling.decision()).isInstanceOf(Decision.Denied.class);
            assertThat(ruling.limits()).extracting(LimitResult::decidedBy).containsExactly(DecidedBy.LEASE);
        }

        assertThat(region.asks).isEqualTo(before);
    }

    @Test
    void a_remembered_refusal_is_not_for_a_smaller_cost() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 5, "1h"));

        assertThat(instance.admits(ANN, 3)).isTrue();
        assertThat(instance.admits(ANN, 3)).isFalse();
        assertThat(instance.admits(ANN, 2)).isTrue();
    }

    @Test
    void a_larger_cost_is_told_its_own_wait_and_not_that_of_a_remembered_one() {
        Instance instance = new Instance(region, policy("a", Algorithm.SLIDING_WINDOW_LOG, 5, "10s"));
        assertThat(instance.admits(ANN, 1)).isTrue();
        time.advance(1_000_000);
        assertThat(instance.admits(ANN, 4)).isTrue();

        for (int i = 0; i < 2; i++) {
            assertThat(waitMicros(instance, 1)).isEqualTo(9_000_000);
            assertThat(waitMicros(instance, 3)).isEqualTo(10_000_000);
            assertThat(waitMicros(instance, 6)).isEqualTo(Long.MAX_VALUE);
        }

        assertThat(region.asks).as("each of the costs is remembered").isEqualTo(5);
    }

    private static long waitMicros(Instance instance, long cost) {
        return ((Decision.Denied) decided(instance.check(ANN, cost)).decision()).retryAfterMicros();
    }

    @Test
    void a_remembered_refusal_ends_with_the_window_and_with_a_raised_limit() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 1, "1s"));
        assertThat(instance.admits(ANN, 1)).isTrue();
        assertThat(instance.admits(ANN, 1)).isFalse();

        instance.policies(policy("a", Algorithm.FIXED_WINDOW, 2, "1s"));
        assertThat(instance.admits(ANN, 1)).isTrue();
        assertThat(instance.admits(ANN, 1)).isFalse();
        time.advance(1_000_000);
        assertThat(instance.admits(ANN, 1)).isTrue();
    }

    @Test
    void a_check_that_one_limit_refuses_leaves_leases_and_counters_as_they_were() {
        Policy wide = policy("wide", Algorithm.FIXED_WINDOW, 1_000_000, "1h");
        Policy narrow = Policy.of("narrow", KeySpec.of("tenant"), Algorithm.FIXED_WINDOW, 50, Window.parse("1h"));
        Instance instance = new Instance(region, wide, narrow);
        for (int i = 0; i < 50; i++) {
            time.advance(100);
            assertThat(instance.admits(ANN, 1)).isTrue();
        }

        for (int i = 0; i < 100; i++) {
            time.advance(100);
            assertThat(instance.admits(ANN, 1)).isFalse();
        }

        instance.release(true);
        Instance other = new Instance(region, wide);
        assertThat(remaining(decided(other.check(ANN, 1)))).isEqualTo(1_000_000 - 51);
    }

    @Test
    void what_is_not_spent_in_time_goes_back() {
        Instance instance = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 1_000_000, "1h"));
        for (int i = 0; i < 1_000; i++) {
            time.advance(100);
            instance.check(ANN, 1);
        }

        time.advance(2_000_000);
        instance.release(false);

        Instance other = new Instance(region, policy("a", Algorithm.FIXED_WINDOW, 1_000_000, "1h"));
        assertThat(remaining(decided(other.check(ANN, 1)))).isEqualTo(1_000_000 - 1_001);
    }

    private static Policy policy(String id, Algorithm algorithm, long limit, String window) {
        return Policy.of(id, KeySpec.of("user_id"), algorithm, limit, Window.parse(window));
    }

    private static CheckResult.Decided decided(CheckResult ruling) {
        assertThat(ruling).isInstanceOf(CheckResult.Decided.class);
        return (CheckResult.Decided) ruling;
    }

    private static long remaining(CheckResult.Decided ruling) {
        return ruling.decision().limits().get(0).standing().remaining();
    }
}
