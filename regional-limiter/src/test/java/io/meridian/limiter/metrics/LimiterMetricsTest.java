package io.meridian.limiter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.metrics.CallerMetrics.TokenOutcome;
import io.meridian.limiter.metrics.CheckMetrics.CheckOutcome;
import io.meridian.limiter.metrics.DeliveryMetrics.DecisionLogMetrics.DecisionLogLoss;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics.ViolationLoss;
import io.meridian.limiter.metrics.PolicyMetrics.LimitOutcome;
import io.meridian.limiter.metrics.PolicyMetrics.Provenance;
import io.meridian.limiter.metrics.RedisMetrics.BreakerState;
import io.meridian.limiter.metrics.RedisMetrics.RedisFailure;
import io.meridian.limiter.metrics.RulesMetrics.RulesSource;
import io.meridian.limiter.metrics.UsageMetrics.UsageLoss;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.services.MetricsPage;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scraped as Prometheus sees them, from the registry that Quarkus brings. */
@SuppressWarnings("deprecation")
class LimiterMetricsTest {
    private final SetTime time = new SetTime();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LimiterMetrics metrics = new LimiterMetrics(registry, time);

    @Test
    void checks_are_counted_by_outcome_and_timed_in_buckets() {
        metrics.checks()
                .answered(CheckOutcome.ALLOWED, Duration.ofNanos(900_000).toNanos());
        metrics.checks().answered(CheckOutcome.ALLOWED, Duration.ofMillis(9).toNanos());
        metrics.checks().answered(CheckOutcome.LISTED, Duration.ofSeconds(3).toNanos());
        metrics.checks().degraded();

        assertThat(scraped())
                .contains("meridian_limiter_checks_total{outcome=\"allowed\",} 2.0")
                .contains("meridian_limiter_checks_total{outcome=\"listed\",} 1.0")
                .contains("meridian_limiter_checks_total{outcome=\"undecided\",} 0.0")
                .contains("meridian_limiter_check_duration_seconds_bucket{le=\"0.001\",} 1.0")
                .contains("meridian_limiter_check_duration_seconds_bucket{le=\"0.01\",} 2.0")
                .contains("meridian_limiter_check_duration_seconds_bucket{le=\"1.0\",} 2.0")
                .contains("meridian_limiter_check_duration_seconds_bucket{le=\"+Inf\",} 3.0")
                .contains("meridian_limiter_degraded_total 1.0")
                .noneMatch(line -> line.contains("quantile"));
    }

    @Test
    void limits_are_counted_by_policy_and_by_what_decided_them() {
        Policy policy = policy("api-default");
        metrics.policies().decided(policy, LimitOutcome.ALLOWED, Provenance.LEASE);
        metrics.policies().decided(policy, LimitOutcome.SHADOW_DENIED, Provenance.LEASE);
        metrics.rules().loaded(RulesSource.TOPIC, 1);
        metrics.policies().decided(policy("api-default"), LimitOutcome.ALLOWED, Provenance.FALLBACK);

        assertThat(scraped())
                .contains("meridian_limiter_decisions_total{outcome=\"allowed\",policy=\"api-default\",} 2.0")
                .contains("meridian_limiter_decisions_total{outcome=\"shadow_denied\",policy=\"api-default\",} 1.0")
                .contains("meridian_limiter_decided_by_total{decided_by=\"lease\",} 2.0")
                .contains("meridian_limiter_decided_by_total{decided_by=\"fallback\",} 1.0");
    }

    @Test
    void a_hundred_policies_have_a_tag_of_their_own_and_all_others_share_one() {
        List<Policy> policies =
                IntStream.range(0, 5_000).mapToObj(i -> policy("policy-" + i)).toList();
        for (int round = 0; round < 2; round++) {
            policies.forEach(policy -> metrics.policies().decided(policy, LimitOutcome.DENIED, Provenance.REGION));
        }

        List<String> denied = scraped().stream()
                .filter(line -> line.startsWith("meridian_limiter_decisions_total{outcome=\"denied\""))
                .toList();
        assertThat(denied)
                .hasSize(PolicyMetrics.POLICIES_MAX + 1)
                .contains("meridian_limiter_decisions_total{outcome=\"denied\",policy=\"policy-99\",} 2.0")
                .contains("meridian_limiter_decisions_total{outcome=\"denied\",policy=\"other\",} 9800.0");
    }

    @Test
    void policies_that_find_no_room_in_the_table_are_counted_all_the_same() {
        List<Policy> policies =
                IntStream.range(0, 20_000).mapToObj(i -> policy("same")).toList();
        policies.forEach(policy -> metrics.policies().decided(policy, LimitOutcome.ALLOWED, Provenance.LEASE));

        assertThat(scraped())
                .contains("meridian_limiter_decisions_total{outcome=\"allowed\",policy=\"same\",} 20000.0");
    }

    @Test
    void redis_leases_and_the_fallback_are_counted() {
        metrics.redis().called(7);
        metrics.redis().answered(Duration.ofMillis(1).toNanos());
        metrics.redis().failed(RedisFailure.TIMEOUT);
        metrics.redis().breaker(BreakerState.OPEN);
        metrics.redis().clockOffset(-1_500_000);
        metrics.leases().held(() -> 12);
        metrics.leases().acquired(100);
        metrics.leases().returned(30);
        metrics.leases().spent(70);
        metrics.leases().deniedFromMemory();
        metrics.fallback().entries(() -> 3);
        metrics.fallback().owed(() -> 2);
        metrics.usage().dropped(UsageLoss.FALLBACK, 7);
        metrics.fallback().settled(9);

        assertThat(scraped())
                .contains("meridian_limiter_redis_calls_total 1.0")
                .contains("meridian_limiter_redis_requests_total 7.0")
                .contains("meridian_limiter_redis_duration_seconds_bucket{le=\"0.001\",} 1.0")
                .contains("meridian_limiter_redis_failures_total{kind=\"timeout\",} 1.0")
                .contains("meridian_limiter_redis_breaker_state 2.0")
                .contains("meridian_limiter_redis_clock_offset_seconds -1.5")
                .contains("meridian_limiter_leases_held 12.0")
                .contains("meridian_limiter_leases_acquired_total 100.0")
                .contains("meridian_limiter_leases_returned_total 30.0")
                .contains("meridian_limiter_leases_spent_total 70.0")
                .contains("meridian_limiter_leases_denied_total 1.0")
                .contains("meridian_limiter_fallback_entries 3.0")
                .contains("meridian_limiter_fallback_owed 2.0")
                .contains("meridian_limiter_usage_dropped_total{kind=\"fallback\",} 7.0")
                .contains("meridian_limiter_fallback_settled_total 9.0");
    }

    @Test
    void the_age_of_a_rulebook_counts_from_when_its_source_was_last_heard() {
        metrics.rules().loaded(RulesSource.FILE, 42);
        time.nanos += Duration.ofSeconds(30).toNanos();
        assertThat(scraped())
                .contains("meridian_limiter_rules_age_seconds 30.0")
                .contains("meridian_limiter_rules_policies 42.0")
                .contains("meridian_limiter_rules_source{source=\"file\",} 1.0")
                .contains("meridian_limiter_rules_source{source=\"topic\",} 0.0");

        metrics.rules().confirmed();

        assertThat(scraped()).contains("meridian_limiter_rules_age_seconds 0.0");
    }

    @Test
    void a_second_is_degraded_if_any_answer_of_it_was_and_the_region_is_for_ten_seconds_after() {
        assertThat(scraped()).contains("meridian_limiter_degraded_now 0.0");
        metrics.checks().degraded();
        metrics.checks().degraded();
        time.nanos += Duration.ofSeconds(9).toNanos();
        assertThat(scraped())
                .contains("meridian_limiter_degraded_total 2.0")
                .contains("meridian_limiter_degraded_time_seconds_total 1.0")
                .contains("meridian_limiter_degraded_now 1.0");

        metrics.checks().degraded();
        time.nanos += Duration.ofSeconds(10).toNanos();

        assertThat(scraped())
                .contains("meridian_limiter_degraded_time_seconds_total 2.0")
                .contains("meridian_limiter_degraded_now 0.0");
    }

    @Test
    void how_old_the_view_of_other_regions_was_is_told_up_to_a_minute() {
        metrics.usage().stale(200);
        metrics.usage().stale(45_000);

        assertThat(scraped())
                .contains("meridian_limiter_staleness_seconds_bucket{le=\"0.25\",} 1.0")
                .contains("meridian_limiter_staleness_seconds_bucket{le=\"30.0\",} 1.0")
                .contains("meridian_limiter_staleness_seconds_bucket{le=\"60.0\",} 2.0");
    }

    @Test
    void tokens_are_counted_by_what_they_were_worth_and_reads_of_keys_by_success() {
        metrics.callers().token(TokenOutcome.REFUSED);
        metrics.callers().jwksRead(true);
        metrics.callers().jwksRead(false);

        assertThat(scraped())
                .contains("meridian_limiter_caller_tokens_total{outcome=\"refused\",} 1.0")
                .contains("meridian_limiter_caller_tokens_total{outcome=\"verified\",} 0.0")
                .contains("meridian_limiter_jwks_read_total 1.0")
                .contains("meridian_limiter_jwks_failed_total 1.0");
    }

    @Test
    void the_load_the_decision_log_and_the_replica_are_told() {
        metrics.load().percent(() -> Optional.of(70));
        metrics.decisionLog().written();
        metrics.decisionLog().dropped(DecisionLogLoss.RATE);
        metrics.redis().replicaCompared(100, 2);
        metrics.redis().replicaIncomparable();

        assertThat(scraped())
                .contains("meridian_limiter_load_percent 70.0")
                .contains("meridian_limiter_decision_log_written_total 1.0")
                .contains("meridian_limiter_decision_log_dropped_total{reason=\"rate\",} 1.0")
                .contains("meridian_limiter_redis_replica_compared_total 100.0")
                .contains("meridian_limiter_redis_replica_drifted_total 2.0")
                .contains("meridian_limiter_redis_replica_incomparable_total 1.0");
    }

    @Test
    void the_page_of_metrics_names_them_all() {
        metrics.leases().held(() -> 1);
        metrics.fallback().entries(() -> 1);
        metrics.fallback().owed(() -> 1);
        metrics.usage().regionalLimits(() -> 1);
        metrics.usage().leader(() -> 1, () -> 1);
        metrics.load().percent(() -> Optional.of(70));

        assertThat(MetricsPage.rows(registry.scrape())).isEqualTo(MetricsPage.documented("regional-limiter"));
    }

    @Test
    void what_a_former_life_left_in_the_registry_hides_nothing() {
        metrics.leases().held(() -> 1);
        metrics.violations().sent(5);
        LimiterMetrics again = new LimiterMetrics(registry, time);
        again.leases().held(() -> 2);
        again.violations().sent(7);
        again.violations().dropped(ViolationLoss.NO_ROOM, 3);

        assertThat(scraped())
                .contains("meridian_limiter_leases_held 2.0")
                .contains("meridian_limiter_violations_sent_total 7.0")
                .contains("meridian_limiter_violations_records_total 1.0")
                .contains("meridian_limiter_violations_dropped_total{reason=\"no_room\",} 3.0");
    }

    @Test
    void every_name_is_dotted_and_ours_and_no_tag_is_unbounded() {
        metrics.policies().decided(policy("p"), LimitOutcome.ALLOWED, Provenance.LEASE);

        assertThat(registry.getMeters()).extracting(Meter::getId).allSatisfy(id -> {
            assertThat(id.getName()).matches("meridian\\.limiter(\\.[a-z]+)+");
            assertThat(id.getTags())
                    .allMatch(tag -> List.of("outcome", "policy", "decided_by", "kind", "reason", "source", "token")
                            .contains(tag.getKey()));
        });
    }

    private List<String> scraped() {
        return registry.scrape().lines().toList();
    }

    private static Policy policy(String id) {
        return Policy.of(id, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 10, Window.parse("1m"));
    }

    private static final class SetTime implements TimeSource {
        private long nanos = 5;

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMicros() {
            return 0;
        }
    }
}
