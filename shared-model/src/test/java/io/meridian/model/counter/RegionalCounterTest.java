package io.meridian.model.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Enforcement.Action;
import io.meridian.model.policy.Enforcement.OnFailure;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.testkit.Histories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RegionalCounterTest {
    private static final long NOW = 1_768_474_800_000_000L;
    private static final Window WINDOW = Window.parse("1h");

    @Test
    void a_refused_group_changes_nothing_and_an_admitted_one_takes_everything() {
        Histories.TODAY.forEach(random -> {
            List<Limit> limits = limits(random);
            List<CounterState> states = untouched(limits.size());
            for (int i = 0; i < 10; i++) {
                List<CounterRequest> group = new ArrayList<>();
                limits.forEach(limit -> group.add(new CounterRequest.Take(limit, random.nextLong(1, 8), 0, 0)));
                RegionalCounter turn = RegionalCounter.of(group, states, NOW + i);
                boolean refused = false;
                for (int j = 0; j < limits.size(); j++) {
                    refused |= !turn.replies().get(j).admitted() && !isShadow(limits.get(j));
                }
                for (int j = 0; j < limits.size(); j++) {
                    boolean changed = turn.states().get(j) != states.get(j);
                    boolean takes = !refused && turn.replies().get(j).admitted();
                    assertThat(changed).isEqualTo(takes);
                }
                states = turn.states();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void what_is_given_back_is_there_again_and_what_was_never_taken_is_not(Algorithm algorithm) {
        Limit limit = limit("p", algorithm, false, 10);
        RegionalCounter taken = RegionalCounter.of(List.of(new CounterRequest.Take(limit, 6, 0, 0)), untouched(1), NOW);
        RegionalCounter back =
                RegionalCounter.of(List.of(new CounterRequest.Refund(limit, 4, NOW)), taken.states(), NOW);
        RegionalCounter never =
                RegionalCounter.of(List.of(new CounterRequest.Refund(limit, 4, NOW)), untouched(1), NOW);

        assertThat(taken.replies().get(0).standing().remaining()).isEqualTo(4);
        assertThat(back.replies().get(0).standing().remaining()).isEqualTo(8);
        assertThat(never.replies().get(0).standing().remaining()).isEqualTo(10);
        assertThat(never.states()).containsExactly(CounterState.UNTOUCHED);
    }

    @ParameterizedTest
    @EnumSource
    void a_settlement_takes_what_fits(Algorithm algorithm) {
        Limit limit = limit("p", algorithm, false, 10);
        RegionalCounter some = RegionalCounter.of(List.of(new CounterRequest.Charge(limit, 7, NOW)), untouched(1), NOW);
        RegionalCounter rest =
                RegionalCounter.of(List.of(new CounterRequest.Charge(limit, 7, NOW)), some.states(), NOW);
        RegionalCounter none =
                RegionalCounter.of(List.of(new CounterRequest.Charge(limit, 7, NOW)), rest.states(), NOW);

        assertThat(some.replies().get(0).standing().remaining()).isEqualTo(3);
        assertThat(rest.replies().get(0).standing().remaining()).isZero();
        assertThat(none.states()).isEqualTo(rest.states());
        assertThat(none.replies().get(0).admitted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_reset_forgets_and_a_peek_or_a_cost_of_nothing_takes_nothing(Algorithm algorithm) {
        Limit limit = limit("p", algorithm, false, 10);
        List<CounterState> used = RegionalCounter.of(
                        List.of(new CounterRequest.Take(limit, 10, 0, 0)), untouched(1), NOW)
                .states();

        RegionalCounter peek = RegionalCounter.of(List.of(new CounterRequest.Peek(limit, 1)), used, NOW);
        RegionalCounter nothing =
                RegionalCounter.of(List.of(new CounterRequest.Take(limit, 0, 5, 1_000)), used, NOW + 1);
        RegionalCounter reset = RegionalCounter.of(List.of(new CounterRequest.Reset(limit)), used, NOW);

        assertThat(peek.states()).isEqualTo(used);
        assertThat(peek.replies().get(0).admitted()).isFalse();
        assertThat(peek.replies().get(0).waitMicros()).isPositive();
        assertThat(nothing.states()).isEqualTo(used);
        assertThat(reset.states()).containsExactly(CounterState.UNTOUCHED);
        assertThat(reset.replies().get(0).standing().remaining()).isEqualTo(10);
    }

    private static List<Limit> limits(SplittableRandom random) {
        List<Limit> limits = new ArrayList<>();
        Algorithm[] all = Algorithm.values();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            limits.add(limit("p" + i, all[random.nextInt(all.length)], random.nextInt(3) == 0, random.nextLong(1, 40)));
        }
        return limits;
    }

    private static Limit limit(String policyId, Algorithm algorithm, boolean shadow, long limit) {
        Policy plain = Policy.of(policyId, KeySpec.ONE_FOR_ALL, algorithm, limit, WINDOW);
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                plain.coordination(),
                shadow ? new Enforcement(Action.LOG_ONLY, 0, OnFailure.LOCAL, false) : Enforcement.REJECT,
                0,
                true,
                plain.revision());
        return new Limit(policy, Quota.of(limit, 0, WINDOW), "", 1, 1);
    }

    private static boolean isShadow(Limit limit) {
        return limit.policy().enforcement().isShadow();
    }

    private static List<CounterState> untouched(int counters) {
        return new ArrayList<>(Collections.nCopies(counters, CounterState.UNTOUCHED));
    }
}
