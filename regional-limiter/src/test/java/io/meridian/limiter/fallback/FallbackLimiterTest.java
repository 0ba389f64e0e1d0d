package io.meridian.limiter.fallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.meridian.limiter.LimiterConfig.FallbackConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an instance decides by itself, of limits that regions share. */
class FallbackLimiterTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOW = 1_000 * MINUTE_MICROS;

    private final FallbackLimiter fallback =
            new FallbackLimiter(new Config(), new LimiterMetrics(new SimpleMeterRegistry()));

    private record Config() implements FallbackConfig {
        @Override
        public int limitPercent() {
            return 200;
        }

        @Override
        public int limits() {
            return 100;
        }
    }

    @Test
    void nothing_is_spent_of_what_is_in_escrow_and_nothing_beside_it_either() {
        Limit escrow = limit("escrow", Mode.ESCROW, OnExhausted.DENY);
        Limit converge = limit("converge", Mode.CONVERGE, OnExhausted.DENY);

        List<CounterReply> told = fallback.answer(List.of(take(escrow), take(converge)), NOW);

        assertThat(told.get(0).admitted()).isFalse();
        assertThat(told.get(0).waitMicros()).isPositive();
        assertThat(fallback.pendingCharges(10)).isEmpty();
        assertThat(fallback.answer(List.of(new CounterRequest.Peek(converge, 1)), NOW)
                        .get(0)
                        .standing()
                        .remaining())
                .isEqualTo(5);
    }

    @Test
    void a_policy_that_goes_on_locally_does_so_here_too() {
        Limit local = limit("local", Mode.ESCROW, OnExhausted.LOCAL);

        assertThat(fallback.answer(List.of(take(local)), NOW).get(0).admitted()).isTrue();
    }

    @Test
    void of_a_regions_own_windows_too_each_owes_its_own() {
        Limit regional = new Limit(
                Policy.of("own", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 5, Window.parse("60s")),
                Quota.of(5, 0, Window.parse("60s")),
                "k",
                1,
                1);

        fallback.answer(List.of(take(regional)), NOW);
        fallback.answer(List.of(take(regional)), NOW + MINUTE_MICROS);

        assertThat(fallback.pendingCharges(10))
                .extracting(CounterRequest.Charge::takenMicros)
                .containsExactly(NOW, NOW + MINUTE_MICROS);
    }

    @Test
    void what_was_admitted_is_owed_to_the_window_in_which_it_was() {
        Limit converge = limit("converge", Mode.CONVERGE, OnExhausted.DENY);

        fallback.answer(List.of(take(converge)), NOW);
        fallback.answer(List.of(take(converge)), NOW + 1);
        fallback.answer(List.of(take(converge)), NOW + MINUTE_MICROS);

        assertThat(fallback.pendingCharges(10))
                .extracting(CounterRequest.Charge::cost, CounterRequest.Charge::takenMicros)
                .containsExactly(tuple(2L, NOW + 1), tuple(1L, NOW + MINUTE_MICROS));
    }

    private static CounterRequest take(Limit limit) {
        return new CounterRequest.Take(limit, 1, 0, 0);
    }

    private static Limit limit(String id, Mode mode, OnExhausted onExhausted) {
        Policy plain = Policy.of(id, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 5, Window.parse("1m"));
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                new Coordination(Scope.GLOBAL, mode, onExhausted, AfterHeal.FORGIVE),
                Enforcement.REJECT,
                0,
                true,
                plain.revision());
        return new Limit(policy, policy.limitSpec().quota(), "", 1, 1);
    }
}
