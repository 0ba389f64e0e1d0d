package io.meridian.model.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit.LimitState;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MultiLimitTest {
    private static final List<Algorithm> ALGORITHMS = List.of(Algorithm.values());
    private static final long NOW = 1_768_474_800_000_000L;
    private static final Policy PER_SECOND = policy("per-second", "fixed_window", 2, "1s", "");
    private static final Policy PER_MINUTE = policy("per-minute", "sliding_window_log", 10, "1m", "");
    private static final Policy PER_HOUR = policy("per-hour", "token_bucket", 100, "1h", "");

    @Test
    void all_limits_admit_and_all_are_charged() {
        Decision decision = decide(List.of(PER_SECOND, PER_MINUTE, PER_HOUR), 1);

        assertThat(decision).isInstanceOf(Decision.Allowed.class);
        assertThat(decision.limits()).extracting(e -> e.standing().remaining()).containsExactly(1L, 9L, 99L);
        assertThat(id(decision)).isEqualTo("per-second");
    }

    @Test
    void one_refusal_refuses_and_charges_nothing_anywhere() {
        List<LimitState> full = charges(List.of(PER_SECOND, PER_MINUTE, PER_HOUR), 2);
        List<LimitState> after = next(full, MultiLimit.decide(full, NOW));

        Decision denied = MultiLimit.decide(withCost(after, 1), NOW + 1);

        assertThat(denied).isInstanceOf(Decision.Denied.class);
        assertThat(((Decision.Denied) denied).retryAfterMicros()).isEqualTo(999_999);
        assertThat(id(denied)).isEqualTo("per-second");
        assertThat(denied.limits()).extracting(LimitDecision::admitted).containsExactly(false, true, true);
        assertThat(denied.limits()).extracting(e -> e.standing().remaining()).containsExactly(0L, 8L, 98L);
    }

    @Test
    void the_longest_wait_is_reported() {
        List<LimitState> charges = charges(List.of(PER_SECOND, policy("day", "fixed_window", 2, "1d", "")), 2);
        List<LimitState> after = next(charges, MultiLimit.decide(charges, NOW));

        assertThat(id(MultiLimit.decide(after, NOW + 1))).isEqualTo("day");
    }

    @Test
    void a_cost_above_a_limit_is_denied_for_good_even_where_it_would_be_throttled() {
        Policy throttle = policy("throttle", "fixed_window", 2, "1s", ", \"action\": \"throttle\"");

        for (Policy policy : List.of(PER_SECOND, throttle)) {
            Decision decision = decide(List.of(PER_HOUR, policy), 3);
            assertThat(decision).isInstanceOf(Decision.Denied.class);
            assertThat(((Decision.Denied) decision).forGood()).isTrue();
        }
    }

    @Test
    void a_throttling_limit_answers_with_the_time_to_wait_and_a_rejecting_one_overrules_it() {
        Policy throttle = policy("throttle", "fixed_window", 2, "1m", ", \"action\": \"throttle\"");
        List<LimitState> charges = charges(List.of(throttle, PER_MINUTE), 2);
        List<LimitState> after = next(charges, MultiLimit.decide(charges, NOW));
        List<LimitState> both = charges(List.of(throttle, PER_SECOND), 2);
        List<LimitState> bothAfter = next(both, MultiLimit.decide(both, NOW));

        Decision throttled = MultiLimit.decide(after, NOW);

        assertThat(throttled).isInstanceOf(Decision.Throttled.class);
        assertThat(((Decision.Throttled) throttled).delayMicros()).isEqualTo(60_000_000);
        assertThat(MultiLimit.decide(bothAfter, NOW)).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void a_shadow_records_and_never_denies() {
        Policy shadow = policy("shadow", "fixed_window", 1, "1m", ", \"action\": \"log_only\"");
        List<LimitState> charges = charges(List.of(shadow, PER_HOUR), 1);
        List<LimitState> after = next(charges, MultiLimit.decide(charges, NOW));

        Decision decision = MultiLimit.decide(after, NOW);

        assertThat(decision).isInstanceOf(Decision.Allowed.class);
        assertThat(id(decision)).isEqualTo("per-hour");
        assertThat(decision.limits().get(0).admitted()).isFalse();
        assertThat(decision.limits().get(1).standing().remaining()).isEqualTo(98);
    }

    @Test
    void a_soft_limit_warns_from_its_share_on() {
        Policy soft = policy("soft", "fixed_window", 10, "1m", ", \"soft_limit_percent\": 80");

        assertThat(decide(List.of(soft), 7).limits().get(0).warns()).isFalse();
        assertThat(decide(List.of(soft), 8).limits().get(0).warns()).isTrue();
        assertThat(decide(List.of(PER_HOUR), 100).limits().get(0).warns()).isFalse();
    }

    @Test
    void paced_requests_wait_for_the_slowest_limit() {
        Policy slow = policy("slow", "leaky_bucket", 10, "1m", "");
        Policy fast = policy("fast", "leaky_bucket", 10, "1s", "");
        List<LimitState> charges = charges(List.of(fast, slow), 1);
        List<LimitState> after = next(charges, MultiLimit.decide(charges, NOW));

        Decision.Allowed paced = (Decision.Allowed) MultiLimit.decide(after, NOW);

        assertThat(paced.delayMicros()).isEqualTo(6_000_000);
    }

    @Test
    void the_tightest_limit_is_the_one_fewest_requests_fit_into() {
        Policy costly = policy("costly", "fixed_window", 100, "1m", "");
        List<LimitState> charges = List.of(
                new LimitState(limit(PER_MINUTE, 1), CounterState.UNTOUCHED),
                new LimitState(limit(costly, 30), CounterState.UNTOUCHED));

        assertThat(id(MultiLimit.decide(charges, NOW))).isEqualTo("costly");
    }

    @Test
    void a_check_of_cost_0_asks_what_one_of_cost_1_would_get_and_takes_nothing() {
        Policy costly = policy("costly", "fixed_window", 100, "1m", ", \"cost\": 30");
        List<LimitState> used = List.of(
                new LimitState(new Limit(costly, costly.limitSpec().quota(), "k", 90, 30), CounterState.UNTOUCHED));
        CounterState state = MultiLimit.decide(used, NOW).limits().get(0).state();

        Decision asked = MultiLimit.decide(
                List.of(new LimitState(new Limit(costly, costly.limitSpec().quota(), "k", 0, 30), state)), NOW);

        assertThat(asked).isInstanceOf(Decision.Denied.class);
        assertThat(asked.limits().get(0).standing().remaining()).isEqualTo(10);
        assertThat(asked.limits().get(0).state()).isEqualTo(state);
    }

    @Test
    void no_limit_allows_and_names_no_policy() {
        Decision decision = MultiLimit.decide(List.of(), NOW);

        assertThat(decision).isInstanceOf(Decision.Allowed.class);
        assertThat(decision.deciding()).isNull();
    }

    @Test
    void whatever_the_limits_a_refusal_changes_no_counter_and_an_admission_changes_all() {
        Histories.TODAY.forEach(random -> {
            List<LimitState> charges = new ArrayList<>();
            int limits = 1 + random.nextInt(4);
            for (int i = 0; i < limits; i++) {
                Algorithm algorithm = ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
                Policy policy = policy("p" + i, algorithm.text(), 1 + random.nextInt(6), "10s", "");
                charges.add(new LimitState(limit(policy, 1 + random.nextInt(2)), CounterState.UNTOUCHED));
            }
            long now = NOW;
            for (int step = 0; step < 12; step++) {
                now += random.nextInt(3_000_000);
                Decision decision = MultiLimit.decide(charges, now);
                boolean allEach = true;
                for (LimitState charge : charges) {
                    allEach &= peek(charge, charge.limit().cost(), now) instanceof Outcome.Admitted;
                }
                assertThat(decision instanceof Decision.Allowed).isEqualTo(allEach);
                for (int i = 0; i < charges.size(); i++) {
                    LimitState charge = charges.get(i);
                    long before = peek(charge, 0, now).standing().remaining();
                    LimitState later = new LimitState(
                            charge.limit(), decision.limits().get(i).state());
                    long after = peek(later, 0, now).standing().remaining();
                    assertThat(before - after)
                            .isEqualTo(allEach ? charge.limit().cost() : 0);
                    assertThat(decision.limits().get(i).standing().remaining()).isEqualTo(after);
                }
                charges = next(charges, decision);
            }
        });
    }

    private static Outcome peek(LimitState charge, long cost, long now) {
        Limit limit = charge.limit();
        return limit.policy().limitSpec().algorithm().decide(charge.state(), limit.quota(), cost, now);
    }

    private static String id(Decision decision) {
        return Objects.requireNonNull(decision.deciding()).limit().policy().id();
    }

    private static Decision decide(List<Policy> policies, long cost) {
        return MultiLimit.decide(charges(policies, cost), NOW);
    }

    private static List<LimitState> charges(List<Policy> policies, long cost) {
        return policies.stream()
                .map(p -> new LimitState(limit(p, cost), CounterState.UNTOUCHED))
                .toList();
    }

    private static List<LimitState> withCost(List<LimitState> charges, long cost) {
        return charges.stream()
                .map(c -> new LimitState(limit(c.limit().policy(), cost), c.state()))
                .toList();
    }

    private static List<LimitState> next(List<LimitState> charges, Decision decision) {
        List<LimitState> next = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            next.add(new LimitState(
                    charges.get(i).limit(), decision.limits().get(i).state()));
        }
        return next;
    }

    private static Limit limit(Policy policy, long cost) {
        return new Limit(policy, policy.limitSpec().quota(), "user_id=42", cost, 1);
    }

    private static Policy policy(String id, String algorithm, int limit, String window, String extra) {
        return PolicyJson.read("{\"id\": \"" + id + "\", \"key\": [\"user_id\"], \"algorithm\": \"" + algorithm
                + "\", \"limit\": " + limit + ", \"window\": \"" + window + "\"" + extra + "}");
    }
}
