package io.meridian.model.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
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
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is held while the region's clock is set over the edge of a window. */
class LeaseTest {
    private static final long SECOND = 1_000_000;
    private static final long EDGE = 1_768_474_800 * SECOND;
    private static final Window WINDOW = Window.parse("60s");
    private static final Limit OWN = limit(Coordination.REGIONAL);
    private static final Limit SHARED =
            limit(new Coordination(Scope.GLOBAL, Mode.CONVERGE, OnExhausted.DENY, AfterHeal.FORGIVE));

    private final Lease lease = new Lease(new LeaseRules(SECOND, SECOND));

    @Test
    void what_is_held_of_a_window_is_not_spent_in_the_one_before() {
        told(SHARED, 10, EDGE);

        assertThat(lease.spend(SHARED, 1, EDGE - 1)).isNull();
    }

    @Test
    void what_is_held_of_a_window_goes_back_when_the_region_speaks_of_the_one_before() {
        told(SHARED, 10, EDGE + SECOND / 2);

        assertThat(told(SHARED, 0, EDGE - 1)).isEqualTo(new CounterRequest.Refund(SHARED, 10, EDGE + SECOND / 2));

        assertThat(lease.spend(SHARED, 1, EDGE + SECOND / 2)).isNull();
    }

    @Test
    void what_is_held_of_a_window_goes_back_when_the_region_speaks_of_the_next() {
        told(SHARED, 10, EDGE - 1);

        assertThat(told(SHARED, 0, EDGE)).isEqualTo(new CounterRequest.Refund(SHARED, 10, EDGE - 1));

        assertThat(lease.spend(SHARED, 1, EDGE - 1)).isNull();
    }

    @Test
    void what_is_held_stays_when_the_region_speaks_of_the_same_window() {
        told(SHARED, 10, EDGE);

        assertThat(told(SHARED, 0, EDGE + 1)).isNull();

        assertThat(lease.spend(SHARED, 1, EDGE + 2)).isNotNull();
    }

    @Test
    void what_is_held_of_a_regions_own_counter_stays_because_that_stands_still() {
        told(OWN, 10, EDGE);

        assertThat(lease.release(EDGE - 1, false)).isNull();

        assertThat(lease.spend(OWN, 1, EDGE - 1)).isNotNull();
    }

    /** An answer to a take of one, and what has to go back for it. */
    private CounterRequest.@Nullable Refund told(Limit limit, long ahead, long nowMicros) {
        long end = WINDOW.endMicros(WINDOW.startMicros(nowMicros));
        CounterReply told =
                new CounterReply(true, new Standing(100, 50, end), 0, ahead, Math.min(end, nowMicros + SECOND));
        return lease.apply(new CounterRequest.Take(limit, 1, ahead, SECOND), told, nowMicros, true);
    }

    private static Limit limit(Coordination coordination) {
        Policy plain = Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 100, WINDOW);
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                coordination,
                plain.enforcement(),
                plain.priority(),
                plain.enabled(),
                plain.revision());
        return new Limit(policy, Quota.of(100, 0, WINDOW), "", 1, 1);
    }
}
