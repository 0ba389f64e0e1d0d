package io.meridian.limiter.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.decide.Instance;
import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.counter.GlobalCounter;
import io.meridian.model.counter.GlobalLimitState;
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
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.VerdictRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Checks that wait for a grant, on one region's account of a limit of ten in escrow, which the leader grants verdict by verdict. */
class GrantWaitsTest {
    private static final long MINUTE_MICROS = 60_000_000L;
    private static final long NOON = 1_800_000_000_000_000L;
    private static final long LIMIT_UNITS = 10;

    private final ManualTime time = new ManualTime(NOON);
    private final List<Runnable> timers = new ArrayList<>();
    private final EscrowRegion region = new EscrowRegion();
    private final Contact contact = new Contact();
    private final GrantWaits waits = new GrantWaits(
            (millis, task) -> timers.add(task),
            contact,
            new Instance.Leases(),
            new LimiterMetrics(new SimpleMeterRegistry()));
    private final LeaseVerdicts verdicts = new LeaseVerdicts(
            new LeaseTable(new Instance.Leases(), new LimiterMetrics(new SimpleMeterRegistry())),
            region,
            waits,
            new RegionClock(time));
    private long sequence;

    @Test
    void a_check_that_no_grant_covers_waits_for_one() {
        CompletableFuture<RegionCounters.Reply> check = check(1);
        assertThat(check).isNotDone();

        grant(NOON, 5, 0);

        assertThat(isAdmitted(check)).isTrue();
    }

    @Test
    void a_burst_is_admitted_as_far_as_grants_come_and_the_rest_waits_on() {
        List<CompletableFuture<RegionCounters.Reply>> burst = new ArrayList<>();
        for (int i = 0; i < LIMIT_UNITS; i++) {
            burst.add(check(1));
        }

        grant(NOON, 4, 0);
        assertThat(burst.stream().filter(CompletableFuture::isDone)).hasSize(4);
        grant(NOON, LIMIT_UNITS, 0);

        assertThat(burst).allSatisfy(each -> assertThat(isAdmitted(each)).isTrue());
    }

    @Test
    void what_waits_is_reported_as_refused_all_of_it_together() {
        assertThat(check(2)).isNotDone();
        assertThat(check(3)).isNotDone();

        assertThat(region.shelf.account(NOON).refused()).isEqualTo(5);
    }

    @Test
    void a_grant_between_the_refusal_and_the_wait_is_found() {
        region.beforeNextAnswer = () -> hear(NOON, 5, 0);

        assertThat(isAdmitted(check(1))).isTrue();
    }

    @Test
    void a_check_is_refused_once_its_wait_is_over_and_leaves_no_waiter_behind() {
        CompletableFuture<RegionCounters.Reply> check = check(1);

        timers.forEach(Runnable::run);

        assertThat(isAdmitted(check)).isFalse();
        int asked = region.groups;
        grant(NOON, 5, 0);
        assertThat(region.groups).isEqualTo(asked);
    }

    @Test
    void a_wait_that_ends_while_the_region_is_asked_ends_with_that_answer() {
        CompletableFuture<RegionCounters.Reply> check = check(1);
        region.beforeNextAnswer = () -> timers.forEach(Runnable::run);

        grant(NOON, 0, 0);

        assertThat(isAdmitted(check)).isFalse();
        int asked = region.groups;
        grant(NOON, 5, 0);
        assertThat(region.groups).as("nobody waits any more").isEqualTo(asked);
    }

    @Test
    void a_check_is_refused_at_once_when_the_leader_says_that_too_little_is_left() {
        hear(NOON, 0, LIMIT_UNITS - 2);

        assertThat(isAdmitted(check(3))).isFalse();
        assertThat(check(2)).isNotDone();
    }

    @Test
    void a_check_that_waits_is_refused_as_soon_as_the_leader_says_that_the_limit_is_spent() {
        CompletableFuture<RegionCounters.Reply> check = check(1);

        grant(NOON, 0, LIMIT_UNITS);

        assertThat(isAdmitted(check)).isFalse();
    }

    @Test
    void a_check_is_refused_at_once_where_the_region_is_cut_off() {
        contact.heard = false;

        assertThat(isAdmitted(check(1))).isFalse();
    }

    @Test
    void more_checks_of_a_limit_than_may_wait_are_refused_at_once() {
        for (int i = 0; i < GrantWaits.CHECKS_PER_LIMIT_MAX; i++) {
            assertThat(check(1)).isNotDone();
        }

        assertThat(isAdmitted(check(1))).isFalse();
    }

    @Test
    void a_late_grant_of_the_window_before_wakes_nobody() {
        CompletableFuture<RegionCounters.Reply> check = check(1);

        grant(NOON - MINUTE_MICROS, 5, 0);

        assertThat(check).isNotDone();
    }

    @Test
    void a_grant_of_the_next_window_wakes_nobody() {
        CompletableFuture<RegionCounters.Reply> check = check(1);

        grant(NOON + MINUTE_MICROS, 5, 0);

        assertThat(check).isNotDone();
    }

    private CompletableFuture<RegionCounters.Reply> check(long cost) {
        List<CounterRequest> asks = List.of(new CounterRequest.Take(limit(cost), cost, 0, MINUTE_MICROS, cost, 0));
        return region.ask(asks)
                .thenCompose(reply -> waits.settle(asks, reply, region))
                .toCompletableFuture();
    }

    private static boolean isAdmitted(CompletableFuture<RegionCounters.Reply> check) {
        assertThat(check).isDone();
        return check.join().told().get(0).admitted();
    }

    /** The region takes the verdict in, and this instance follows it. */
    private void grant(long startMicros, long granted, long elsewhere) {
        hear(startMicros, granted, elsewhere);
        verdicts.apply(new VerdictRecord(
                new LimitWindow("p", "k", startMicros),
                new RegionIncarnation("us-east", 1),
                1,
                sequence,
                new WindowRule(1, LIMIT_UNITS, MINUTE_MICROS, SharingMode.ESCROW, AfterHeal.FORGIVE),
                elsewhere,
                false,
                granted,
                VerdictRecord.KEEP_ALL,
                0,
                0));
    }

    private void hear(long startMicros, long granted, long elsewhere) {
        WindowVerdict verdict =
                new WindowVerdict(1, ++sequence, elsewhere, false, 1, LIMIT_UNITS, granted, VerdictRecord.KEEP_ALL);
        region.shelf = region.shelf.apply(startMicros, startMicros + MINUTE_MICROS, verdict, NOON);
    }

    private static Limit limit(long cost) {
        Policy plain = Policy.of("p", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, LIMIT_UNITS, Window.parse("60s"));
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                new Coordination(Scope.GLOBAL, Mode.ESCROW, OnExhausted.DENY, AfterHeal.FORGIVE),
                plain.enforcement(),
                plain.priority(),
                plain.enabled(),
                plain.revision());
        return new Limit(policy, policy.limitSpec().quota(), "k", cost, 1);
    }

    /** A region's account of the limit in memory: the pure turn that the script is held against. */
    private final class EscrowRegion implements RegionCounters {
        GlobalLimitState shelf = GlobalLimitState.startedAt(NOON - MINUTE_MICROS);
        int groups;
        /** Runs after the region has decided and before its answer arrives. */
        Runnable beforeNextAnswer = () -> {};

        @Override
        public CompletionStage<Reply> ask(List<CounterRequest> group) {
            groups++;
            GlobalCounter turn = GlobalCounter.of(group.get(0), shelf, time.wallMicros());
            shelf = turn.state();
            Runnable before = beforeNextAnswer;
            beforeNextAnswer = () -> {};
            before.run();
            List<CounterReply> told = List.of(turn.reply());
            return CompletableFuture.completedFuture(new Reply(told, time.wallMicros()));
        }
    }

    private static final class Contact implements LeaderContact {
        boolean heard = true;

        @Override
        public long stalenessMillis(Limit limit) {
            return 0;
        }

        @Override
        public boolean isReachable(Limit limit) {
            return heard;
        }

        @Override
        public long boundUnits(Limit limit) {
            return limit.quota().capacity();
        }

        @Override
        public InstanceReport.Loop loop() {
            return InstanceReport.Loop.NONE;
        }
    }
}
