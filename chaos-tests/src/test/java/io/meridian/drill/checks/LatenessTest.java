package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.CONVERGE;
import static io.meridian.drill.sample.SampleDrill.CUT;
import static io.meridian.drill.sample.SampleDrill.ESCROW;
import static io.meridian.drill.sample.SampleDrill.REGIONAL;
import static io.meridian.drill.sample.SampleDrill.between;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleFaults.leader;
import static io.meridian.drill.sample.SampleFaults.redis;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.history.Event.UsageReported;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.history.Lateness;
import io.meridian.drill.history.Subject;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Which promises a starved machine leaves unknown, and which it does not excuse. */
class LatenessTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final Duration THREE = Duration.ofSeconds(3);

    @Test
    void checks_that_were_given_up_are_unknown_where_the_machine_was_starved_and_broken_elsewhere() {
        Supplier<SampleDrill> drill =
                () -> new SampleDrill().checks(check -> between(check, 26, 26.05), Changes::failed);

        unknownOnlyWhereStarved(new AvailabilityChecker(), drill, 24, 28, 40, 50);
        assertThat(new AvailabilityChecker()
                        .check(drill.get().starved(24, 28).history())
                        .description())
                .isEqualTo("Not judged, because the machine was starved: p99 lateness 84 ms."
                        + " Seen: 15 of 15,000 checks failed, from 26.0 s to 26.0 s (ap-northeast 3, ap-south 3,"
                        + " eu-west 3, us-east 3, us-west 3); mostly: no answer in 2 s.");
    }

    @Test
    void a_check_that_was_answered_with_no_decision_has_failed_on_a_starved_machine_too() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> between(check, 26, 26.05), Changes::failed)
                .checks(check -> between(check, 27, 27.05), Changes::refused)
                .starved(5, 55);

        Finding finding = new AvailabilityChecker().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.ofTime()).isFalse();
    }

    @Test
    void a_recovery_that_took_too_long_is_unknown_where_the_machine_was_starved_meanwhile() {
        unknownOnlyWhereStarved(
                new RecoveryChecker(THREE, THREE),
                () -> new SampleDrill()
                        .checks(check -> check.region().equals(CUT) && between(check, 30, 44), Changes::degraded),
                40,
                44,
                20,
                38);
    }

    @Test
    void a_region_that_never_recovered_is_unknown_where_the_machine_was_starved_to_the_end() {
        unknownOnlyWhereStarved(
                new RecoveryChecker(TEN, THREE),
                () -> new SampleDrill()
                        .checks(check -> check.region().equals(CUT) && between(check, 30, 60), Changes::degraded),
                40,
                55,
                20,
                38);
    }

    @Test
    void a_takeover_that_took_too_long_is_unknown_where_the_machine_was_starved_meanwhile() {
        Supplier<SampleDrill> drill = () -> {
            SampleDrill killed = new SampleDrill()
                    .with(new Event.FaultBegan(seconds(20), "f", leader(PartAction.KILL, "sync-1"), "a fault"))
                    .with(new Event.FaultEnded(seconds(30), "f"));
            for (int partition = 0; partition < 16; partition += 2) {
                killed.with(new Event.LeaderObserved(seconds(23.5), partition, "sync-2", 4));
            }
            return killed;
        };

        unknownOnlyWhereStarved(new RecoveryChecker(TEN, THREE), drill, 20, 23, 25, 55);
    }

    @Test
    void a_partition_that_nobody_leads_in_the_end_is_unknown_where_the_machine_was_starved() {
        unknownOnlyWhereStarved(
                new RecoveryChecker(TEN, THREE),
                () -> new SampleDrill().with(new Event.LeaderObserved(seconds(50), 5, "", 3)),
                45,
                55,
                20,
                38);
    }

    @Test
    void one_time_that_was_missed_on_a_machine_with_free_cores_breaks_the_promise_whatever_else_was_starved() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 44), Changes::degraded)
                .with(new Event.FaultBegan(seconds(5), "f", redis(PartAction.FREEZE, "us-east"), "a freeze"))
                .with(new Event.FaultEnded(seconds(6), "f"))
                .checks(check -> check.region().equals("us-east") && between(check, 5, 12), Changes::degraded)
                .starved(40, 44);

        Finding finding = new RecoveryChecker(THREE, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("a freeze").doesNotContain("cut off");
    }

    @Test
    void regions_that_agreed_too_late_are_unknown_where_the_machine_was_starved_after_the_heal() {
        unknownOnlyWhereStarved(
                new ConvergenceChecker(TEN),
                () -> new SampleDrill().with(new LoopSampled(seconds(52.1), CUT, 150, 200, 9_000)),
                45,
                52,
                20,
                39);
        unknownOnlyWhereStarved(
                new ConvergenceChecker(TEN),
                () -> new SampleDrill()
                        .without(event -> event instanceof LoopSampled seen
                                && seen.region().equals(CUT)
                                && seen.atNanos() > seconds(40))
                        .with(new LoopSampled(seconds(54), CUT, Double.NaN, Double.NaN, 34_000)),
                45,
                55,
                20,
                39);
    }

    @Test
    void a_limit_that_was_not_used_up_is_unknown_where_the_machine_was_starved_in_that_window() {
        unknownOnlyWhereStarved(
                new UtilizationChecker(),
                () -> new SampleDrill()
                        .checks(
                                check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 12),
                                Changes::denied),
                10,
                15,
                15,
                55);
    }

    @Test
    void a_converging_limit_above_its_bound_is_unknown_where_the_machine_was_starved_and_the_loop_slow() {
        unknownOnlyWhereStarved(new BoundChecker(CONVERGE), () -> admitted(CONVERGE, 10, 15), 10, 15, 20, 55);
    }

    @Test
    void a_converging_limit_above_what_all_regions_may_admit_alone_is_broken_on_a_starved_machine_too() {
        SampleDrill drill = admitted(CONVERGE, 10, 15);
        for (int i = 0; i < 3; i++) {
            drill.history().of(Checked.class).stream()
                    .filter(check -> check.policy().equals(CONVERGE.policy()) && between(check, 10, 15))
                    .limit(500)
                    .forEach(drill::with);
        }

        assertThat(new BoundChecker(CONVERGE)
                        .check(drill.starved(0, 55).history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void of_two_that_were_missed_the_one_on_a_machine_with_free_cores_breaks_the_promise() {
        SampleDrill bound = admitted(CONVERGE, 10, 15)
                .checks(check -> check.policy().equals(CONVERGE.policy()) && between(check, 45, 50), Changes::allowed)
                .starved(10, 15);
        SampleDrill failed = new SampleDrill()
                .checks(check -> between(check, 26, 26.05) || between(check, 36, 36.05), Changes::failed)
                .starved(24, 28);
        SampleDrill unused = new SampleDrill()
                .checks(
                        check -> check.policy().equals(ESCROW.policy())
                                && (between(check, 5, 7) || between(check, 15, 17)),
                        Changes::denied)
                .starved(5, 10);

        assertThat(new BoundChecker(CONVERGE).check(bound.history()).state()).isEqualTo(State.VIOLATED);
        assertThat(new AvailabilityChecker().check(failed.history()).state()).isEqualTo(State.VIOLATED);
        assertThat(new UtilizationChecker().check(unused.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void granted_and_regional_limits_are_kept_on_a_starved_machine_too() {
        assertThat(new BoundChecker(ESCROW)
                        .check(admitted(ESCROW, 10, 15).starved(0, 55).history())
                        .state())
                .isEqualTo(State.VIOLATED);
        assertThat(new BoundChecker(REGIONAL)
                        .check(admitted(REGIONAL, 10, 15).starved(0, 55).history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void what_was_lost_is_lost_on_a_starved_machine_too() {
        assertThat(new UsageReportChecker()
                        .check(lost(1).starved(0, 55).history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void a_wiped_redis_loses_as_much_more_as_its_reports_were_late() {
        Supplier<SampleDrill> wiped =
                () -> lost(15).with(new Event.FaultBegan(seconds(11), "f", redis(PartAction.WIPE, "us-east"), "a wipe"))
                        .with(new Event.FaultEnded(seconds(11), "f"));

        assertThat(new UsageReportChecker().check(wiped.get().history()).state())
                .isEqualTo(State.VIOLATED);
        assertThat(new UsageReportChecker()
                        .check(wiped.get()
                                .checks(check -> between(check, 10, 10.05), Changes.late(300))
                                .history())
                        .state())
                .isEqualTo(State.VALID);
        assertThat(new UsageReportChecker()
                        .check(wiped.get()
                                .checks(check -> between(check, 40, 40.05), Changes.late(300))
                                .history())
                        .state())
                .as("late at another time")
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void a_window_that_was_not_open_is_found_on_a_starved_machine_too() {
        SampleDrill drill = new SampleDrill()
                .starved(0, 55)
                .with(new Checked(
                        seconds(12),
                        84_000,
                        seconds(12) + 1,
                        "us-east",
                        ESCROW.policy(),
                        Event.Outcome.ALLOWED,
                        SampleDrill.windowEnd(seconds(22)),
                        false,
                        false,
                        ""));

        assertThat(new WindowChecker().check(drill.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void what_holds_on_a_starved_machine_holds() {
        SampleDrill drill = new SampleDrill().starved(0, 55);

        DrillVerdict verdict =
                DrillVerdict.of(Checker.all(drill.history().subjects(), Deadlines.DEFAULT), drill.history());

        assertThat(verdict.overall()).isEqualTo(State.VALID);
    }

    @Test
    void a_few_late_checks_among_many_are_no_starved_machine() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 26, 26.4), Changes.late(400));

        Lateness lateness = new Lateness(drill.history());

        assertThat(lateness.during(0, Long.MAX_VALUE).starved()).isFalse();
        assertThat(lateness.during(0, Long.MAX_VALUE).maxMillis()).isEqualTo(400);
        assertThat(lateness.during(seconds(25), seconds(30)).starved()).isTrue();
    }

    @Test
    void a_check_counts_in_the_whole_time_from_when_it_was_due_to_when_it_was_sent() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Checked)
                .with(denied(11, 0))
                .with(denied(12, 4_000_000));

        Lateness lateness = new Lateness(drill.history());

        assertThat(lateness.during(seconds(9), seconds(10)).checks()).isEqualTo(1);
        assertThat(lateness.during(seconds(9), seconds(10)).p99Millis()).isEqualTo(4_000);
        assertThat(lateness.during(seconds(12), seconds(13)).checks()).isEqualTo(1);
        assertThat(lateness.during(seconds(6), seconds(7)).checks()).isZero();
        assertThat(lateness.during(seconds(13), seconds(20))).isEqualTo(Lateness.Spread.NONE);
    }

    private static Checked denied(double atSeconds, long lateMicros) {
        long at = seconds(atSeconds);
        return new Checked(
                at, lateMicros, at + 1, "us-east", ESCROW.policy(), Event.Outcome.DENIED, 0, false, false, "");
    }

    /** Broken by itself, unknown if the machine is starved in the first span, and broken if only in the second. */
    private static void unknownOnlyWhereStarved(
            Checker checker, Supplier<SampleDrill> drill, double from, double to, double elseFrom, double elseTo) {
        Finding free = checker.check(drill.get().history());
        assertThat(free.state()).as("a machine with free cores").isEqualTo(State.VIOLATED);
        assertThat(free.ofTime()).as("found by how fast something was").isTrue();
        Finding starved = checker.check(drill.get().starved(from, to).history());
        assertThat(starved.state()).as("a starved machine").isEqualTo(State.UNKNOWN);
        assertThat(starved.description()).contains("the machine was starved: p99 lateness 84 ms");
        assertThat(starved.figures()).containsEntry("lateness_p99_ms", 84.0);
        assertThat(checker.check(drill.get().starved(elseFrom, elseTo).history())
                        .state())
                .as("a machine that was starved at another time")
                .isEqualTo(State.VIOLATED);
    }

    /** All that is asked for of a limit is admitted, within these seconds. */
    private static SampleDrill admitted(Subject subject, double from, double to) {
        return new SampleDrill()
                .checks(check -> check.policy().equals(subject.policy()) && between(check, from, to), Changes::allowed);
    }

    /** What us-east told of a window of escrow, from 10 s to 15 s, is less by so much. */
    private static SampleDrill lost(long units) {
        SampleDrill drill = new SampleDrill();
        UsageReported told = drill.history().of(UsageReported.class).stream()
                .filter(usage -> usage.policy().equals(ESCROW.policy())
                        && usage.windowEndMicros() == SampleDrill.windowEnd(seconds(10))
                        && usage.region().equals("us-east"))
                .findFirst()
                .orElseThrow();
        return drill.with(new UsageReported(
                told.atNanos(), told.policy(), told.region(), told.windowEndMicros(), told.used() - units));
    }
}
