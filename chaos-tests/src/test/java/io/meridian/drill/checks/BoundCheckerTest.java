package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.CONVERGE;
import static io.meridian.drill.sample.SampleDrill.CUT;
import static io.meridian.drill.sample.SampleDrill.ESCROW;
import static io.meridian.drill.sample.SampleDrill.REGIONAL;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleFaults.cut;
import static io.meridian.drill.sample.SampleFaults.delayed;
import static io.meridian.drill.sample.SampleFaults.kafka;
import static io.meridian.drill.sample.SampleFaults.narrowed;
import static io.meridian.drill.sample.SampleFaults.postgres;
import static io.meridian.drill.sample.SampleFaults.redis;
import static io.meridian.drill.sample.SampleFaults.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.Subject;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class BoundCheckerTest {
    @Test
    void one_unit_above_a_granted_limit_is_found() {
        DrillHistory history = new SampleDrill()
                .checks(check -> is(check, ESCROW, 24.95, 25) && check.region().equals("us-east"), Changes::allowed)
                .history();

        Finding finding = check(ESCROW, history);

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description())
                .isEqualTo("1 of 11 windows above the bound;"
                        + " largest excess: the window to 10:00:25 admitted 301, limit 300, bound 300.");
    }

    @Test
    void a_granted_limit_is_not_excused_by_a_cut_or_a_lost_redis() {
        DrillHistory history = new SampleDrill()
                .checks(check -> is(check, ESCROW, 20, 25), check -> Changes.degraded(Changes.allowed(check)))
                .history();

        assertThat(check(ESCROW, history).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_regional_limit_may_be_exceeded_only_in_the_window_and_the_region_whose_redis_lost_its_data() {
        SampleDrill drill = new SampleDrill()
                .checks(
                        check ->
                                is(check, REGIONAL, 24.95, 25) && check.region().equals("us-east"),
                        Changes::allowed);
        assertThat(check(REGIONAL, drill.history()).state()).isEqualTo(State.VIOLATED);

        assertThat(check(REGIONAL, wiped(drill, 24, "us-east")).state()).isEqualTo(State.VALID);
        assertThat(check(REGIONAL, wiped(drill, 24, "us-west")).state()).isEqualTo(State.VIOLATED);
        assertThat(check(REGIONAL, wiped(drill, 18, "us-east")).state()).isEqualTo(State.VIOLATED);
    }

    private static DrillHistory wiped(SampleDrill drill, double atSeconds, String region) {
        drill.with(new Event.FaultBegan(seconds(atSeconds), "wipe", redis(PartAction.WIPE, region), "a wipe"));
        drill.with(new Event.FaultEnded(seconds(atSeconds), "wipe"));
        DrillHistory history = drill.history();
        drill.without(event ->
                event instanceof Event.FaultBegan began && began.fault().equals("wipe"));
        drill.without(event ->
                event instanceof Event.FaultEnded ended && ended.fault().equals("wipe"));
        return history;
    }

    @Test
    void a_window_that_began_before_the_drill_counts_too() {
        long end = SampleDrill.windowEnd(0) - SampleDrill.WINDOW.toNanos() / 1000;
        SampleDrill drill = new SampleDrill();
        for (int i = 0; i <= SampleDrill.LIMIT; i++) {
            drill.with(new Checked(0, 0, 1, "us-east", ESCROW.policy(), Event.Outcome.ALLOWED, end, false, false, ""));
        }

        assertThat(check(ESCROW, drill.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_region_above_its_own_limit_is_found_though_others_are_below() {
        DrillHistory history = new SampleDrill()
                .checks(check -> is(check, REGIONAL, 10, 15), Changes::denied)
                .checks(check -> is(check, REGIONAL, 10, 13.1) && check.region().equals(CUT), Changes::allowed)
                .history();

        Finding finding = check(REGIONAL, history);

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains(CUT + " in the window to 10:00:15 admitted 62, limit 60");
    }

    @Test
    void without_its_redis_a_region_may_have_twice_its_limit_and_no_more() {
        SampleDrill drill = new SampleDrill()
                .checks(
                        check -> is(check, REGIONAL, 10, 15) && check.region().equals(CUT),
                        check -> Changes.degraded(Changes.allowed(check)));
        assertThat(check(REGIONAL, drill.history()).state()).isEqualTo(State.VALID);

        drill.history().of(Checked.class).stream()
                .filter(check -> is(check, REGIONAL, 10, 11.1) && check.region().equals(CUT))
                .forEach(drill::with);

        assertThat(check(REGIONAL, drill.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_converging_limit_used_twice_is_fine_only_while_the_world_is_in_two_parts() {
        Predicate<Checked> underCut = check -> is(check, CONVERGE, 30, 35);
        Predicate<Checked> whole = check -> is(check, CONVERGE, 10, 15);

        assertThat(check(
                                CONVERGE,
                                new SampleDrill()
                                        .checks(underCut, Changes::allowed)
                                        .history())
                        .state())
                .isEqualTo(State.VALID);
        assertThat(check(
                                CONVERGE,
                                new SampleDrill()
                                        .checks(whole, Changes::allowed)
                                        .history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void after_a_heal_the_loop_may_catch_up_for_one_window_and_then_the_whole_world_counts() {
        Predicate<Checked> first = check -> is(check, CONVERGE, 40, 45);
        Predicate<Checked> second = check -> is(check, CONVERGE, 45, 50);

        assertThat(check(
                                CONVERGE,
                                new SampleDrill()
                                        .checks(first, Changes::allowed)
                                        .history())
                        .state())
                .isEqualTo(State.VALID);
        // Though regions still tell of a loop of 20 s: that was the cut.
        assertThat(check(
                                CONVERGE,
                                new SampleDrill()
                                        .checks(second, Changes::allowed)
                                        .history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void a_slow_loop_allows_what_is_asked_for_meanwhile() {
        SampleDrill drill = new SampleDrill().checks(check -> is(check, CONVERGE, 10, 14), Changes::allowed);
        assertThat(check(CONVERGE, drill.history()).state()).isEqualTo(State.VIOLATED);

        drill.with(new Event.LoopSampled(seconds(12), CUT, 1_000, 1_100, 100));

        assertThat(check(CONVERGE, drill.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void a_loop_that_is_slow_in_a_calm_world_is_not_believed_and_one_that_was_delayed_is() {
        assertThat(check(CONVERGE, slowLoop().history()).state()).isEqualTo(State.VIOLATED);

        assertThat(after(8, 9, delayed(CUT, 1_000, 0))).isEqualTo(State.VALID);
    }

    @Test
    void of_a_delay_on_a_link_four_ways_are_believed_however_long_it_lasted() {
        assertThat(after(2, 9, delayed(CUT, 100, 0))).isEqualTo(State.VIOLATED);
        assertThat(after(8, 9, delayed(CUT, 300, 0))).isEqualTo(State.VIOLATED);
        assertThat(after(8, 9, delayed(CUT, 400, 0))).isEqualTo(State.VALID);
        assertThat(after(8, 9, delayed(CUT, 300, 100))).isEqualTo(State.VALID);
    }

    @Test
    void of_any_other_fault_its_own_length_is_believed() {
        for (InjectedFault fault : List.of(
                kafka(PartAction.KILL),
                redis(PartAction.FREEZE, "us-east"),
                sync(PartAction.RESTART, "sync-1"),
                cut(CUT),
                narrowed(CUT))) {
            assertThat(after(8, 9, fault)).as(fault.toString()).isEqualTo(State.VIOLATED);
            assertThat(after(7, 9, fault)).as(fault.toString()).isEqualTo(State.VALID);
        }
        assertThat(after(2, 9, postgres(PartAction.KILL))).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_fault_that_comes_and_goes_counts_as_long_as_it_was_there_in_all() {
        SampleDrill drill = slowLoop();
        for (int at = 5; at < 8; at++) {
            drill.with(new Event.FaultBegan(seconds(at), "network " + CUT, cut(CUT), "a cut"))
                    .with(new Event.FaultEnded(seconds(at + 0.8), "network " + CUT));
        }

        assertThat(check(CONVERGE, drill.history()).state()).isEqualTo(State.VALID);
    }

    /** In the window from 10 s to 15 s, after such a fault. */
    private static State after(double from, double to, InjectedFault fault) {
        SampleDrill drill = slowLoop()
                .with(new Event.FaultBegan(seconds(from), "f", fault, "a fault"))
                .with(new Event.FaultEnded(seconds(to), "f"));
        return check(CONVERGE, drill.history()).state();
    }

    /** Told of are 10 s, and of 200 asked for in each second all are admitted, 1000: as many as a loop of 3.5 s allows. */
    private static SampleDrill slowLoop() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> is(check, CONVERGE, 10, 15), Changes::allowed)
                .with(new Event.LoopSampled(seconds(12), CUT, 10_000, 10_000, 100));
        drill.history().of(Checked.class).stream()
                .filter(check -> is(check, CONVERGE, 10, 15))
                .forEach(drill::with);
        return drill;
    }

    @Test
    void nothing_decided_is_unknown() {
        DrillHistory history =
                new SampleDrill().checks(check -> true, Changes::failed).history();

        assertThat(check(ESCROW, history).state()).isEqualTo(State.UNKNOWN);
    }

    private static Finding check(Subject subject, DrillHistory history) {
        return new BoundChecker(subject).check(history);
    }

    private static boolean is(Checked check, Subject subject, double from, double to) {
        return check.policy().equals(subject.policy())
                && check.atNanos() >= seconds(from)
                && check.atNanos() < seconds(to);
    }
}
