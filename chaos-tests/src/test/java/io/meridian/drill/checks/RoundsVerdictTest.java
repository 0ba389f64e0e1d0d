package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.REGIONS;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleFaults.redis;
import static io.meridian.drill.sample.SampleRounds.CONVERGE;
import static io.meridian.drill.sample.SampleRounds.ESCROW;
import static io.meridian.drill.sample.SampleRounds.FIRST;
import static io.meridian.drill.sample.SampleRounds.LATER;
import static io.meridian.drill.sample.SampleRounds.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.sample.SampleRounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings of checkers where regions are asked in rounds: the first alone, or all at once. */
class RoundsVerdictTest {
    private static final String LAST = REGIONS.get(REGIONS.size() - 1);

    /** With the slowest loop that is believed, too. */
    @ParameterizedTest
    @ValueSource(doubles = {250, 2_000})
    void regions_that_first_ask_after_the_limit_was_used_up_must_refuse(double loopMillis) {
        assertThat(converge(laterAdmitEach(0).loop(6, loopMillis)).state()).isEqualTo(State.VALID);

        Finding again = converge(laterAdmitEach(LIMIT).loop(6, loopMillis));

        assertThat(again.state()).isEqualTo(State.VIOLATED);
        assertThat(again.description()).contains("admitted 200, limit 40, bound 40");
        assertThat(again.ofTime()).isTrue();
    }

    @Test
    void a_single_check_that_a_cold_region_admits_is_found() {
        SampleRounds rounds = SampleRounds.usedUpByTheFirst().ask(8.5, LAST, 1, 1);

        assertThat(converge(rounds).description()).contains("admitted 41, limit 40, bound 40");
        assertThat(converge(rounds).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void cold_regions_that_admit_are_excused_by_a_loop_that_was_as_slow_and_by_a_starved_machine() {
        assertThat(converge(SampleRounds.usedUpByTheFirst().loop(6, 1_500).ask(7, LAST, 15, 15))
                        .state())
                .isEqualTo(State.VALID);
        assertThat(converge(SampleRounds.usedUpByTheFirst().loop(6, 1_500).ask(8, LAST, 15, 15))
                        .state())
                .isEqualTo(State.VIOLATED);
        assertThat(converge(SampleRounds.usedUpByTheFirst().starved().ask(8.5, LAST, 15, 15))
                        .state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_region_that_lost_its_redis_may_admit_until_it_was_told_again_and_no_other_may() {
        assertThat(converge(wiped(8.4).ask(8.5, LAST, 15, 15)).state()).isEqualTo(State.VALID);

        assertThat(converge(wiped(8.4).ask(8.5, FIRST, 15, 15)).state()).isEqualTo(State.VIOLATED);
        assertThat(converge(wiped(8.4).ask(8.5, LAST, 16, 16).ask(9.1, LAST, 1, 1))
                        .state())
                .isEqualTo(State.VIOLATED);
        assertThat(converge(wiped(7).ask(8.5, LAST, 15, 15)).state()).isEqualTo(State.VIOLATED);
    }

    private static SampleRounds wiped(double at) {
        return SampleRounds.usedUpByTheFirst()
                .with(new Event.FaultBegan(seconds(at), "wipe", redis(PartAction.WIPE, LAST), "a wipe"))
                .with(new Event.FaultEnded(seconds(at), "wipe"));
    }

    @Test
    void a_converging_limit_that_all_regions_are_asked_for_at_once_may_be_admitted_by_each_and_by_none_later() {
        SampleRounds rounds = new SampleRounds(CONVERGE);
        REGIONS.forEach(region -> rounds.ask(5.25, region, 60, LIMIT));
        assertThat(converge(rounds).state()).isEqualTo(State.VALID);
        REGIONS.forEach(region -> rounds.ask(8, region, 1, 0));
        assertThat(converge(rounds).state()).isEqualTo(State.VALID);

        SampleRounds slow = new SampleRounds(CONVERGE);
        REGIONS.forEach(region -> slow.ask(5.25, region, 20, 20));
        assertThat(converge(slow).state()).isEqualTo(State.VALID);
        assertThat(converge(slow.ask(6, LAST, 1, 1)).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void one_unit_above_a_granted_limit_is_found_in_a_burst() {
        SampleRounds rounds = burst(24, 8);
        assertThat(new BoundChecker(ESCROW).check(rounds.history()).state()).isEqualTo(State.VALID);

        rounds.starved().ask(5.4, LAST, 1, 1);

        assertThat(new BoundChecker(ESCROW).check(rounds.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_burst_that_is_refused_while_the_limit_is_not_used_up_is_found() {
        assertThat(used(burst(24, 8)).state()).isEqualTo(State.VALID);

        Finding refused = used(burst(24, 7));

        assertThat(refused.state()).isEqualTo(State.VIOLATED);
        assertThat(refused.ofTime()).isTrue();
        assertThat(refused.description()).contains("rounds-escrow admitted at least 87.5 % of what its limit allows");
    }

    @Test
    void a_burst_below_the_limit_is_admitted_as_a_whole() {
        assertThat(used(burst(3, 3)).state()).isEqualTo(State.VALID);
        assertThat(used(burst(3, 2)).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_burst_that_a_starved_machine_refused_is_unknown() {
        SampleRounds rounds = new SampleRounds(ESCROW).starved();
        REGIONS.forEach(region -> rounds.ask(5.25, region, 24, 7));

        assertThat(used(rounds).state()).isEqualTo(State.UNKNOWN);
    }

    /** A region alone uses the limit up; seconds later all others are asked for it once each, and admit so much. */
    private static SampleRounds laterAdmitEach(long admitted) {
        SampleRounds rounds = SampleRounds.usedUpByTheFirst();
        LATER.forEach(region -> rounds.ask(8.5, region, LIMIT, admitted));
        return rounds;
    }

    private static SampleRounds burst(long checks, long admitted) {
        SampleRounds rounds = new SampleRounds(ESCROW);
        REGIONS.forEach(region -> rounds.ask(5.25, region, checks, admitted));
        return rounds;
    }

    private static Finding converge(SampleRounds rounds) {
        return new BoundChecker(CONVERGE).check(rounds.history());
    }

    private static Finding used(SampleRounds rounds) {
        return new UtilizationChecker().check(rounds.history());
    }
}
