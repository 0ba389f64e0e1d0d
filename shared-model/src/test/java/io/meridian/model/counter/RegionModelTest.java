package io.meridian.model.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.RegionModel.Due;
import io.meridian.model.counter.RegionModel.Server;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.usage.LimitWindow;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionModelTest {
    private static final long NOW = 1_768_474_800_000_000L;
    private static final Quota QUOTA = Quota.of(10, 0, Window.parse("1h"));
    private static final Limit REGIONAL = limit("own", Coordination.REGIONAL);
    private static final Limit ESCROW =
            limit("escrow", new Coordination(Scope.GLOBAL, Mode.ESCROW, OnExhausted.DENY, AfterHeal.FORGIVE));
    private static final LimitWindow WINDOW =
            new LimitWindow("escrow", "k", QUOTA.window().startMicros(NOW));
    private static final Server SERVER = new Server("run", "replication", 0);

    private final RegionModel region = new RegionModel();
    private long incarnation;

    @BeforeEach
    void begin() {
        incarnation = region.identify(SERVER, 0, NOW - 1).number();
        region.apply(incarnation, WINDOW, NOW + 1, new WindowVerdict(1, 1, 0, false, 1, 10, 6, Long.MAX_VALUE), NOW);
    }

    @Test
    void a_group_that_one_limit_refuses_consumes_nothing_and_is_noted_as_demand() {
        List<CounterReply> replies = count(take(REGIONAL, 2), take(ESCROW, 7));

        assertThat(replies).extracting(CounterReply::admitted).containsExactly(true, false);
        assertThat(region.remaining(REGIONAL, NOW)).isEqualTo(10);
        assertThat(account().own()).isZero();
        assertThat(due()).extracting(due -> due.account().refused()).containsExactly(7L);
    }

    @Test
    void a_group_that_fits_is_taken_from_all() {
        assertThat(count(take(REGIONAL, 2), take(ESCROW, 6))).allMatch(CounterReply::admitted);

        assertThat(region.remaining(REGIONAL, NOW)).isEqualTo(8);
        assertThat(account().own()).isEqualTo(6);
    }

    @Test
    void an_account_is_due_until_its_report_is_acknowledged_and_again_when_the_claim_ends() {
        count(take(ESCROW, 6));
        Due claimed = due().get(0);
        assertThat(due()).isEmpty();

        assertThat(region.due(incarnation, 10, NOW + 4_000_000)).hasSize(1);
        region.reported(incarnation, WINDOW, incarnation, claimed.claim(), NOW + 4_000_000);
        assertThat(region.due(incarnation, 10, NOW + 8_000_000))
                .as("the second claim")
                .hasSize(1);
    }

    @Test
    void a_caller_of_another_incarnation_is_refused() {
        long next =
                region.identify(new Server("another", "replication", 0), 0, NOW).number();

        assertThat(next).isGreaterThan(incarnation);
        assertThatThrownBy(() -> count(take(ESCROW, 1))).isInstanceOf(RegionModel.StaleIncarnationException.class);
        assertThat(region.identify(new Server("another", "replication", 5), 0, NOW)
                        .number())
                .isEqualTo(next);
    }

    @Test
    void a_copy_changes_on_its_own() {
        RegionModel replica = region.copied();
        count(take(ESCROW, 6));

        assertThat(replica.account(incarnation, WINDOW).own()).isZero();
        assertThat(replica.due(incarnation, 10, NOW)).isEmpty();
    }

    private List<CounterReply> count(CounterRequest... group) {
        return region.count(List.of(group), incarnation, NOW, limit -> FloorOffer.NONE);
    }

    private List<Due> due() {
        return region.due(incarnation, 10, NOW);
    }

    private WindowAccount account() {
        return region.account(incarnation, WINDOW);
    }

    private static CounterRequest take(Limit limit, long cost) {
        return new CounterRequest.Take(limit, cost, 0, 0);
    }

    private static Limit limit(String id, Coordination coordination) {
        Policy plain = Policy.of(id, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 10, QUOTA.window());
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                coordination,
                plain.enforcement(),
                0,
                true,
                plain.revision());
        return new Limit(policy, QUOTA, "k", 1, 1);
    }
}
