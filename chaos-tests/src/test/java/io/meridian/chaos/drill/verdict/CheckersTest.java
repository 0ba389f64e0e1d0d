package io.meridian.chaos.drill.verdict;

import static io.meridian.chaos.drill.sample.SampleDrill.CONVERGE;
import static io.meridian.chaos.drill.sample.SampleDrill.CUT;
import static io.meridian.chaos.drill.sample.SampleDrill.ESCROW;
import static io.meridian.chaos.drill.sample.SampleDrill.REGIONAL;
import static io.meridian.chaos.drill.sample.SampleDrill.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Event.LoopSeen;
import io.meridian.chaos.drill.history.Event.UsageTold;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.sample.Changes;
import io.meridian.chaos.drill.sample.SampleDrill;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For each checker a history that is broken in just its way, and one that has nothing for it. */
class CheckersTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final Duration THREE = Duration.ofSeconds(3);

    @Test
    void a_failed_check_is_found_with_place_time_and_reason() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 26, 26.05), Changes::failed);

        Finding finding = new NoFailedCheck().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words())
                .startsWith("15 of 15,000 checks failed, from 26.0 s to 26.0 s (ap-northeast 3, ap-south 3")
                .endsWith("mostly: no answer in 2 s.");
    }

    @Test
    void a_check_that_fails_while_all_is_cold_is_not_judged() {
        SampleDrill drill = new SampleDrill().checks(check -> between(check, 1, 2), Changes::failed);

        assertThat(new NoFailedCheck().check(drill.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void one_unit_that_was_not_told_of_is_lost() {
        Finding finding = new NothingLost().check(toldOff(-1).history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("32 of 33 windows told to the unit; 1 wrong", "lost: less by 1");
    }

    @Test
    void one_unit_told_too_much_is_wrong_too_unless_a_check_failed_or_a_limiter_was_killed() {
        assertThat(new NothingLost().check(toldOff(1).history()).state()).isEqualTo(State.VIOLATED);

        SampleDrill killed = toldOff(0)
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 12), Changes::denied)
                .with(new Event.FaultBegan(seconds(11), "f", "limiter of us-east killed"))
                .with(new Event.FaultEnded(seconds(12), "f"));
        assertThat(new NothingLost().check(killed.history()).state()).isEqualTo(State.VALID);

        SampleDrill failed = new SampleDrill()
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 10.05), Changes::failed);
        Finding finding = new NothingLost().check(failed.history());
        assertThat(finding.state()).isEqualTo(State.VALID);
        assertThat(finding.figures()).containsEntry("tolerated", 1L).containsEntry("exact", 32L);
    }

    @Test
    void a_window_may_be_off_by_its_degraded_answers_and_a_wiped_redis_by_one_report() {
        SampleDrill degraded = toldOff(-3)
                .checks(
                        check -> check.policy().equals(ESCROW.policy())
                                && check.region().equals(CUT)
                                && between(check, 10, 10.15),
                        Changes::degraded);
        assertThat(new NothingLost().check(degraded.history()).state()).isEqualTo(State.VALID);

        SampleDrill wiped = toldOff(-5)
                .with(new Event.FaultBegan(seconds(11), "f", "Redis of us-east wiped"))
                .with(new Event.FaultEnded(seconds(11), "f"));
        assertThat(new NothingLost().check(wiped.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void what_was_under_way_at_the_edge_of_a_window_and_decided_without_redis_may_be_charged_on_either_side() {
        SampleDrill before = toldOff(1).with(degraded(seconds(9.5), seconds(9.8)));
        assertThat(new NothingLost().check(before.history()).state()).isEqualTo(State.VIOLATED);

        SampleDrill across = toldOff(1).with(degraded(seconds(9.5), seconds(10.3)));
        assertThat(new NothingLost().check(across.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void usage_that_nobody_read_is_unknown() {
        SampleDrill drill = new SampleDrill().without(UsageTold.class::isInstance);

        assertThat(new NothingLost().check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_killed_limiter_explains_what_is_missing_shortly_before_its_end_and_not_after() {
        assertThat(new NothingLost().check(killedLimiter(8).history()).state()).isEqualTo(State.VIOLATED);
        assertThat(new NothingLost().check(killedLimiter(11).history()).state()).isEqualTo(State.VALID);
        assertThat(new NothingLost().check(killedLimiter(20).history()).state()).isEqualTo(State.VALID);
        assertThat(new NothingLost().check(killedLimiter(22).history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void what_was_denied_without_redis_explains_no_lost_usage() {
        SampleDrill drill = toldOff(-1)
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 14, 14.1), Changes::degraded);

        assertThat(new NothingLost().check(drill.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_region_that_falls_silent_again_counts_from_when_it_is_heard_for_good() {
        SampleDrill drill = new SampleDrill().with(new LoopSeen(seconds(52.1), CUT, 150, 200, 9_000));

        Finding finding = new ConvergenceTime(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).startsWith("12.5 s after the heal");
    }

    @Test
    void an_admission_in_a_window_that_is_over_or_not_yet_open_is_found() {
        assertThat(new WindowsNamed().check(new SampleDrill().history()).state())
                .isEqualTo(State.VALID);
        for (int away : new int[] {-2, 2}) {
            SampleDrill drill = new SampleDrill().with(charged(seconds(12), away, false));

            Finding finding = new WindowsNamed().check(drill.history());

            assertThat(finding.state()).isEqualTo(State.VIOLATED);
            assertThat(finding.words()).startsWith("1 of ").contains("drill-escrow of us-east at 12.0 s");
        }
    }

    @Test
    void clocks_a_little_beside_each_other_and_answers_without_redis_name_other_windows() {
        SampleDrill drill = new SampleDrill()
                .with(charged(seconds(10.9), -1, false))
                .with(charged(seconds(14.1), 1, false))
                .with(charged(seconds(12), 2, true));

        assertThat(new WindowsNamed().check(drill.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void a_region_that_never_hears_of_the_centre_again_has_not_converged() {
        SampleDrill drill = new SampleDrill()
                .without(event ->
                        event instanceof LoopSeen seen && seen.region().equals(CUT) && seen.atNanos() > seconds(40))
                .with(new LoopSeen(seconds(54), CUT, Double.NaN, Double.NaN, 34_000));

        Finding finding = new ConvergenceTime(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("[ap-south] never heard of the centre again");
    }

    @Test
    void regions_that_go_on_counting_alone_after_the_heal_have_not_converged() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.policy().equals(CONVERGE.policy()) && between(check, 50, 55), Changes::allowed);

        Finding finding = new ConvergenceTime(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).startsWith("15.0 s after the heal").contains("limit 10 s");
    }

    @Test
    void convergence_without_a_fault_or_a_sample_is_unknown() {
        assertThat(new ConvergenceTime(TEN)
                        .check(new SampleDrill()
                                .without(LoopSeen.class::isInstance)
                                .history())
                        .state())
                .isEqualTo(State.UNKNOWN);
        assertThat(new ConvergenceTime(TEN)
                        .check(new SampleDrill()
                                .without(Event.FaultEnded.class::isInstance)
                                .history())
                        .state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_region_that_stays_degraded_has_not_recovered() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 60), Changes::degraded);

        Finding finding = new RecoveryTime(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("[ap-south] never decided undegraded again");
    }

    @Test
    void a_few_good_answers_at_the_end_are_no_recovery() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 54.5), Changes::degraded);

        assertThat(new RecoveryTime(TEN.multipliedBy(6), THREE)
                        .check(drill.history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void a_region_that_was_hardly_asked_after_the_fault_is_unknown() {
        SampleDrill drill =
                new SampleDrill().without(event -> event instanceof Checked && event.atNanos() > seconds(40.5));

        assertThat(new RecoveryTime(TEN, THREE).check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void recovery_after_its_time_is_found_and_before_is_told() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 44), Changes::degraded);

        assertThat(new RecoveryTime(THREE, THREE).check(drill.history()).state())
                .isEqualTo(State.VIOLATED);
        Finding finding = new RecoveryTime(TEN, THREE).check(drill.history());
        assertThat(finding.state()).isEqualTo(State.VALID);
        assertThat(finding.words()).contains("at most 4.0 s after the end");
        assertThat(finding.figures().toString()).contains("from_begin_seconds=24.0", "from_end_seconds=4.0");
    }

    @Test
    void a_partition_that_is_led_again_too_late_is_found() {
        SampleDrill drill = killedLeader();
        for (int partition = 0; partition < 16; partition += 2) {
            drill.with(new Event.LeaderSeen(seconds(23.5), partition, "sync-2", 4));
        }

        Finding finding = new RecoveryTime(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("it took 3.5 s until each partition was led again, limit 3.0 s");
        assertThat(new RecoveryTime(TEN, Duration.ofSeconds(4))
                        .check(drill.history())
                        .state())
                .isEqualTo(State.VALID);
    }

    @Test
    void a_partition_that_nobody_took_over_counts_though_others_were_in_time() {
        SampleDrill drill = killedLeader().with(new Event.LeaderSeen(seconds(21.9), 0, "sync-2", 4));
        for (int partition = 2; partition < 16; partition += 2) {
            drill.with(new Event.LeaderSeen(seconds(22), partition, "", 3))
                    .with(new Event.LeaderSeen(seconds(29.9), partition, "sync-1", 5));
        }

        Finding finding = new RecoveryTime(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("it took 10.0 s until each partition was led again");
    }

    @Test
    void a_partition_that_nobody_leads_in_the_end_is_found() {
        SampleDrill drill = new SampleDrill().with(new Event.LeaderSeen(seconds(50), 5, "", 3));

        Finding finding = new RecoveryTime(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("nobody leads partitions [5] in the end");
    }

    @Test
    void a_killed_leader_whom_nobody_was_seen_to_replace_is_unknown() {
        Finding finding = new RecoveryTime(TEN, THREE).check(killedLeader().history());

        assertThat(finding.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_limit_that_denies_everything_is_not_called_valid() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 12), Changes::denied);

        Finding finding = new LimitUsed().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("drill-escrow used 33.3 % of its limit at the least");
    }

    @Test
    void a_control_phase_told_of_a_moment_after_its_window_began_has_that_window() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Event.PhaseBegan began && began.phase() == Phase.CONTROL)
                .with(new Event.PhaseBegan(seconds(15.002), Phase.CONTROL));

        assertThat(new LimitUsed().check(drill.history()).figures()).containsEntry("windows", 7);
    }

    @Test
    void a_limit_that_nobody_wanted_to_use_up_says_nothing() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Checked check && check.atNanos() % 2 == 0 && between(check, 5, 20));

        assertThat(new LimitUsed().check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }

    /** What was told of one window of escrow is off by so much. */
    private static SampleDrill toldOff(long by) {
        SampleDrill drill = new SampleDrill();
        long window = SampleDrill.windowEnd(seconds(10));
        UsageTold told = drill.history().of(UsageTold.class).stream()
                .filter(usage -> usage.policy().equals(ESCROW.policy()))
                .filter(usage ->
                        usage.windowEndMicros() == window && usage.region().equals("us-east"))
                .findFirst()
                .orElseThrow();
        return drill.with(
                new UsageTold(told.atNanos(), told.policy(), told.region(), told.windowEndMicros(), told.used() + by));
    }

    /** A limiter is killed then, for 15 s, and of a region's own limit some are missing in the window from 10 s to 15 s. */
    private static SampleDrill killedLimiter(double atSeconds) {
        SampleDrill drill = new SampleDrill();
        UsageTold told = drill.history().of(UsageTold.class).stream()
                .filter(usage -> usage.policy().equals(REGIONAL.policy()))
                .filter(usage -> usage.windowEndMicros() == SampleDrill.windowEnd(seconds(10)))
                .findFirst()
                .orElseThrow();
        return drill.with(new UsageTold(
                        told.atNanos(), told.policy(), told.region(), told.windowEndMicros(), told.used() - 5))
                .with(new Event.FaultBegan(seconds(atSeconds), "f", "limiter-us-east killed"))
                .with(new Event.FaultEnded(seconds(atSeconds + 15), "f"));
    }

    /** An admission charged so many windows after the one that is open. */
    /** Denied, in the window in which it was sent. */
    private static Checked degraded(long atNanos, long answeredNanos) {
        long window = SampleDrill.windowEnd(atNanos);
        return new Checked(atNanos, answeredNanos, "us-east", ESCROW.policy(), Event.Outcome.DENIED, window, true, "");
    }

    private static Checked charged(long atNanos, int windows, boolean degraded) {
        return new Checked(
                atNanos,
                atNanos + 1,
                "us-east",
                ESCROW.policy(),
                Event.Outcome.ALLOWED,
                SampleDrill.windowEnd(atNanos + windows * SampleDrill.WINDOW.toNanos()),
                degraded,
                "");
    }

    private static SampleDrill killedLeader() {
        return new SampleDrill()
                .with(new Event.FaultBegan(seconds(20), "kill-leader", "leader sync-1 killed"))
                .with(new Event.FaultEnded(seconds(30), "kill-leader"));
    }

    private static boolean between(Checked check, double from, double to) {
        return check.atNanos() >= seconds(from) && check.atNanos() < seconds(to);
    }
}
