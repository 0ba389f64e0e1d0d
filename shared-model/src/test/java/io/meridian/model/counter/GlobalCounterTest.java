package io.meridian.model.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.GlobalCounter.FloorOffer;
import io.meridian.model.counter.WindowAccount.WindowVerdict;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.policy.Coordination.Mode;
import io.meridian.model.policy.Coordination.OnExhausted;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GlobalCounterTest {
    private static final Window WINDOW = Window.parse("1h");
    private static final long START = 1_768_474_800_000_000L;
    private static final long NOW = START + 60_000_000;
    private static final long END = WINDOW.endMicros(START);
    private static final Limit CONVERGE = limit(Algorithm.FIXED_WINDOW, Mode.CONVERGE, AfterHeal.FORGIVE, 3, 10);
    private static final Limit ESCROW = limit(Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, 3, 10);

    private GlobalLimitState state = GlobalLimitState.startedAt(START);

    @Test
    void a_region_admits_what_the_others_left() {
        apply(new WindowVerdict(1, 1, 7, false, 3, 10, 0, Long.MAX_VALUE));

        assertThat(take(CONVERGE, 3).admitted()).isTrue();
        assertThat(take(CONVERGE, 1)).satisfies(told -> {
            assertThat(told.admitted()).isFalse();
            assertThat(told.waitMicros()).isEqualTo(END - NOW);
            assertThat(told.globalUsage()).isEqualTo(new CounterReply.GlobalUsage(3, 0, 7, 0));
        });
    }

    @Test
    void a_flag_blocks_its_own_version_up_to_its_limit_and_no_other() {
        apply(new WindowVerdict(1, 1, 0, true, 3, 10, 0, Long.MAX_VALUE));

        assertThat(take(CONVERGE, 1).admitted()).isFalse();
        assertThat(take(limit(Algorithm.FIXED_WINDOW, Mode.CONVERGE, AfterHeal.FORGIVE, 4, 10), 1)
                        .admitted())
                .isTrue();
        assertThat(take(limit(Algorithm.FIXED_WINDOW, Mode.CONVERGE, AfterHeal.FORGIVE, 3, 11), 1)
                        .admitted())
                .isTrue();
        assertThat(take(limit(Algorithm.FIXED_WINDOW, Mode.CONVERGE, AfterHeal.FORGIVE, 3, 9), 1)
                        .admitted())
                .isFalse();
    }

    @Test
    void an_older_verdict_changes_nothing_but_a_grant_it_raises() {
        apply(new WindowVerdict(2, 5, 7, false, 3, 10, 4, Long.MAX_VALUE));
        apply(new WindowVerdict(2, 4, 1, true, 3, 10, 6, 0));
        apply(new WindowVerdict(1, 9, 2, true, 3, 10, 5, 0));

        WindowAccount account = state.account(START);
        assertThat(account.verdict().usedElsewhere()).isEqualTo(7);
        assertThat(account.verdict().blocked()).isFalse();
        assertThat(account.grantAvailable()).isEqualTo(6);
    }

    @Test
    void in_escrow_a_region_spends_what_it_holds_and_notes_what_it_refused() {
        apply(new WindowVerdict(1, 1, 0, false, 3, 10, 4, Long.MAX_VALUE));

        assertThat(take(ESCROW, 5).waitMicros()).isEqualTo(1_000_000);
        assertThat(take(ESCROW, 4).admitted()).isTrue();
        assertThat(take(ESCROW, 1).admitted()).isFalse();
        assertThat(state.account(START).refused()).as("all that waits").isEqualTo(6);
        assertThat(state.account(START).requested()).isEqualTo(10);

        apply(new WindowVerdict(1, 2, 0, false, 3, 10, 5, Long.MAX_VALUE));
        assertThat(state.account(START).refused()).isZero();
        assertThat(take(ESCROW, 1).admitted()).isTrue();
    }

    @Test
    void what_is_called_back_lowers_the_line_at_once_and_never_below_what_is_spent() {
        apply(new WindowVerdict(1, 1, 0, false, 3, 10, 8, Long.MAX_VALUE));
        take(ESCROW, 3);

        apply(new WindowVerdict(1, 2, 0, false, 3, 10, 8, 2));

        assertThat(state.account(START).grantReturned()).isEqualTo(3);
        assertThat(take(ESCROW, 3).admitted()).isFalse();
        assertThat(take(ESCROW, 2).admitted()).isTrue();
        apply(new WindowVerdict(1, 3, 0, false, 3, 10, 8, 0));
        assertThat(state.account(START).grantAvailable()).isEqualTo(5);
    }

    @Test
    void a_region_that_is_cut_off_overdraws_as_far_as_it_may() {
        apply(new WindowVerdict(1, 1, 0, false, 3, 10, 4, Long.MAX_VALUE));

        assertThat(ask(new CounterRequest.Take(ESCROW, 6, 0, 0, 6, 1)).admitted())
                .isFalse();
        assertThat(ask(new CounterRequest.Take(ESCROW, 6, 0, 0, 6, 2)).admitted())
                .isTrue();
        assertThat(ask(new CounterRequest.Take(ESCROW, 5, 0, 0, 5, CounterRequest.Take.LOCAL))
                        .admitted())
                .isFalse();
        assertThat(ask(new CounterRequest.Take(ESCROW, 4, 0, 0, 4, CounterRequest.Take.LOCAL))
                        .admitted())
                .isTrue();
        apply(new WindowVerdict(1, 2, 0, false, 3, 10, 4, 0));
        assertThat(state.account(START).grantReturned()).isZero();
    }

    @Test
    void a_request_of_no_cost_takes_nothing_and_its_demand_is_noted() {
        assertThat(ask(new CounterRequest.Take(ESCROW, 0, 0, 0, 7, 0)).admitted())
                .isFalse();

        assertThat(state.account(START).requested()).isEqualTo(7);
        assertThat(state.account(START).refused()).isZero();
    }

    @Test
    void what_was_taken_in_an_earlier_window_goes_back_to_that_one() {
        take(CONVERGE, 6);
        state = GlobalCounter.of(new CounterRequest.Take(CONVERGE, 2, 0, 0), state, END)
                .state();

        state = GlobalCounter.of(new CounterRequest.Refund(CONVERGE, 9, NOW), state, END)
                .state();

        assertThat(state.account(START).own()).isZero();
        assertThat(state.account(START).taken()).isEqualTo(6);
        assertThat(state.account(END).own()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void what_was_taken_before_the_life_began_is_not_given_back(Algorithm algorithm) {
        Limit limit = limit(algorithm, Mode.CONVERGE, AfterHeal.FORGIVE, 3, 10);
        state = GlobalLimitState.startedAt(NOW);
        take(limit, 6);

        assertThat(ask(new CounterRequest.Refund(limit, 4, NOW - 1)).standing().remaining())
                .isEqualTo(4);
        assertThat(state.account(START).own()).isEqualTo(6);
        assertThat(ask(new CounterRequest.Refund(limit, 4, NOW)).standing().remaining())
                .isEqualTo(8);
        assertThat(state.account(START).own()).isEqualTo(2);
    }

    @Test
    void no_number_of_a_book_grows_beyond_what_is_stored_or_below_nothing() {
        ask(new CounterRequest.Charge(CONVERGE, Long.MAX_VALUE, NOW));
        ask(new CounterRequest.Charge(CONVERGE, Long.MAX_VALUE, NOW));
        assertThat(state.account(START).taken()).isEqualTo(WindowAccount.MAX);

        ask(new CounterRequest.Refund(CONVERGE, Long.MAX_VALUE, NOW));
        assertThat(state.account(START).own()).isZero();
        ask(new CounterRequest.Refund(CONVERGE, 1, NOW));
        assertThat(state.account(START).own()).isZero();

        ask(new CounterRequest.Take(ESCROW, Long.MAX_VALUE, 0, 0));
        assertThat(state.account(START).requested()).isEqualTo(WindowAccount.MAX);
    }

    @Test
    void no_more_counts_as_refused_than_the_limit_could_ever_grant() {
        take(ESCROW, 8);
        take(ESCROW, 8);

        assertThat(state.account(START).refused()).isEqualTo(10);
    }

    @Test
    void a_verdict_on_an_ended_window_is_heard_only_where_something_is_kept_of_it() {
        WindowVerdict verdict = new WindowVerdict(1, 1, 7, false, 3, 10, 0, Long.MAX_VALUE);

        assertThat(state.apply(START, END, verdict, END).accounts()).isEmpty();
        take(CONVERGE, 1);
        assertThat(state.apply(START, END, verdict, END).account(START).verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"FIXED_WINDOW"},
            mode = EnumSource.Mode.EXCLUDE)
    void what_the_others_used_is_charged_once_and_what_they_gave_back_is_free_again(Algorithm algorithm) {
        Limit limit = limit(algorithm, Mode.CONVERGE, AfterHeal.FORGIVE, 3, 10);
        apply(new WindowVerdict(1, 1, 6, false, 3, 10, 0, Long.MAX_VALUE));

        assertThat(peek(limit)).isEqualTo(4);
        assertThat(peek(limit)).isEqualTo(4);
        apply(new WindowVerdict(1, 2, 8, false, 3, 10, 0, Long.MAX_VALUE));
        assertThat(peek(limit)).isEqualTo(2);
        apply(new WindowVerdict(1, 3, 5, false, 3, 10, 0, Long.MAX_VALUE));
        assertThat(peek(limit)).isEqualTo(5);
    }

    @Test
    void what_is_above_the_limit_is_forgiven_or_capped_at_once_more_the_limit() {
        for (AfterHeal afterHeal : new AfterHeal[] {AfterHeal.FORGIVE, AfterHeal.CAP}) {
            Limit limit = limit(Algorithm.GCRA, Mode.CONVERGE, afterHeal, 3, 10);
            state = GlobalLimitState.EMPTY;
            apply(new WindowVerdict(1, 1, 100, false, 3, 10, 0, Long.MAX_VALUE));
            peek(limit);

            long tenth = 360_000_000;
            long fits = GlobalCounter.of(new CounterRequest.Peek(limit, 1), state, NOW)
                    .reply()
                    .waitMicros();

            assertThat(fits).isEqualTo(afterHeal == AfterHeal.CAP ? 11 * tenth : tenth);
        }
    }

    @Test
    void what_was_taken_before_the_regions_clock_was_set_back_goes_back_to_its_own_window() {
        take(CONVERGE, 3);
        long before = START - 1_000_000;
        state = GlobalCounter.of(new CounterRequest.Take(CONVERGE, 2, 0, 0), state, before)
                .state();

        state = GlobalCounter.of(new CounterRequest.Refund(CONVERGE, 1, NOW), state, before)
                .state();

        assertThat(state.account(START).own()).isEqualTo(2);
        assertThat(state.account(WINDOW.startMicros(before)).own()).isEqualTo(2);
    }

    @Test
    void what_seems_to_come_from_a_window_that_has_not_begun_is_of_this_one() {
        take(CONVERGE, 3);

        ask(new CounterRequest.Refund(CONVERGE, 1, END + 5));

        assertThat(state.account(START).own()).isEqualTo(2);
    }

    private void apply(WindowVerdict verdict) {
        state = state.apply(START, END, verdict, NOW);
    }

    private CounterReply take(Limit limit, long cost) {
        return ask(new CounterRequest.Take(limit, cost, 0, 0));
    }

    private long peek(Limit limit) {
        return ask(new CounterRequest.Peek(limit, 1)).standing().remaining();
    }

    @Test
    void the_first_ask_of_a_window_decides_on_its_floor() {
        Limit limit = limit(Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, 1, 100);
        long start = WINDOW.startMicros(NOW);

        assertThat(take(limit, 4, new FloorOffer(6, start, start + 1)).admitted())
                .isTrue();
        assertThat(state.account(start).floor()).isEqualTo(6);
        assertThat(take(limit, 3, new FloorOffer(60, start, start + 1)).admitted())
                .as("a later offer changes nothing")
                .isFalse();
    }

    @Test
    void a_window_outside_of_the_range_of_an_offer_has_no_floor() {
        Limit limit = limit(Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, 1, 100);
        long start = WINDOW.startMicros(NOW);

        assertThat(take(limit, 1, new FloorOffer(6, start + 1, start + 2)).admitted())
                .isFalse();
        assertThat(state.account(start).floor()).isZero();
        assertThat(take(limit, 1, new FloorOffer(6, start, start + 1)).admitted())
                .as("it was decided")
                .isFalse();
    }

    @Test
    void a_peek_shows_the_floor_and_decides_on_it_only_where_it_is_the_first_contact() {
        Limit limit = limit(Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, 1, 100);
        long start = WINDOW.startMicros(NOW);
        FloorOffer offer = new FloorOffer(6, start, start + 1);
        state = state.apply(
                start, start + 1, new WindowVerdict(1, 1, 0, false, 1, 100, 2, WindowVerdict.KEEP_ALL), NOW - 1);
        state = state.with(start, state.account(start));

        GlobalCounter turn = GlobalCounter.of(new CounterRequest.Peek(limit, 1), state, NOW, offer);

        assertThat(turn.reply().standing().remaining())
                .isEqualTo(state.account(start).granted() + 6);
        assertThat(turn.state().account(start).floor()).isEqualTo(WindowAccount.UNDECIDED);
        assertThat(GlobalCounter.of(new CounterRequest.Peek(limit, 1), GlobalLimitState.EMPTY, NOW, offer)
                        .state()
                        .account(start)
                        .floor())
                .isEqualTo(6);
    }

    @Test
    void a_region_that_never_met_the_key_agrees_to_have_no_floor_when_it_is_called_back() {
        Limit limit = limit(Algorithm.FIXED_WINDOW, Mode.ESCROW, AfterHeal.FORGIVE, 1, 100);
        long start = WINDOW.startMicros(NOW);

        state = state.apply(start, NOW + 1, new WindowVerdict(1, 1, 0, false, 1, 100, 0, 3), NOW);

        assertThat(state.account(start).floor()).isZero();
        assertThat(take(limit, 1, new FloorOffer(6, start, start + 1)).admitted())
                .isFalse();
    }

    private CounterReply take(Limit limit, long cost, FloorOffer offer) {
        GlobalCounter turn = GlobalCounter.of(new CounterRequest.Take(limit, cost, 0, 0), state, NOW, offer);
        state = turn.state();
        return turn.reply();
    }

    private CounterReply ask(CounterRequest ask) {
        GlobalCounter turn = GlobalCounter.of(ask, state, NOW);
        state = turn.state();
        return turn.reply();
    }

    private static Limit limit(Algorithm algorithm, Mode mode, AfterHeal afterHeal, long version, long limit) {
        Policy plain = Policy.of("p", KeySpec.ONE_FOR_ALL, algorithm, limit, WINDOW);
        Policy policy = new Policy(
                plain.id(),
                plain.name(),
                plain.description(),
                plain.appliesTo(),
                plain.key(),
                plain.limitSpec(),
                new Coordination(Scope.GLOBAL, mode, OnExhausted.DENY, afterHeal),
                plain.enforcement(),
                0,
                true,
                new Revision(version, Instant.EPOCH, Instant.EPOCH));
        return new Limit(policy, Quota.of(limit, 0, WINDOW), "", 1, 1);
    }
}
