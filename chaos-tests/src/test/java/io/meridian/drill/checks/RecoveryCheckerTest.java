package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.CUT;
import static io.meridian.drill.sample.SampleDrill.between;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleFaults.leader;
import static io.meridian.drill.sample.SampleFaults.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a region decides by itself again, and a partition is led again. */
class RecoveryCheckerTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final Duration THREE = Duration.ofSeconds(3);

    @Test
    void a_region_that_stays_degraded_has_not_recovered() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 60), Changes::degraded);

        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("[ap-south] never decided undegraded again");
    }

    @Test
    void a_few_good_answers_at_the_end_are_no_recovery() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 54.5), Changes::degraded);

        assertThat(new RecoveryChecker(TEN.multipliedBy(6), THREE)
                        .check(drill.history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void a_region_that_was_hardly_asked_after_the_fault_is_unknown() {
        SampleDrill drill =
                new SampleDrill().without(event -> event instanceof Checked && event.atNanos() > seconds(40.5));

        assertThat(new RecoveryChecker(TEN, THREE).check(drill.history()).state())
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void recovery_after_its_time_is_found_and_before_is_told() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.region().equals(CUT) && between(check, 30, 44), Changes::degraded);

        assertThat(new RecoveryChecker(THREE, THREE).check(drill.history()).state())
                .isEqualTo(State.VIOLATED);
        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());
        assertThat(finding.state()).isEqualTo(State.VALID);
        assertThat(finding.description()).contains("at most 4.0 s after the end");
        assertThat(finding.figures().toString()).contains("from_begin_seconds=24.0", "from_end_seconds=4.0");
    }

    @Test
    void a_partition_that_is_led_again_too_late_is_found() {
        SampleDrill drill = killedLeader();
        for (int partition = 0; partition < 16; partition += 2) {
            drill.with(new Event.LeaderObserved(seconds(23.5), partition, "sync-2", 4));
        }

        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description())
                .contains("it took 3.5 s until each partition had a leader again, limit 3.0 s");
        assertThat(new RecoveryChecker(TEN, Duration.ofSeconds(4))
                        .check(drill.history())
                        .state())
                .isEqualTo(State.VALID);
    }

    @Test
    void a_partition_that_nobody_took_over_counts_though_others_were_in_time() {
        SampleDrill drill = killedLeader().with(new Event.LeaderObserved(seconds(21.9), 0, "sync-2", 4));
        for (int partition = 2; partition < 16; partition += 2) {
            drill.with(new Event.LeaderObserved(seconds(22), partition, "", 3))
                    .with(new Event.LeaderObserved(seconds(29.9), partition, "sync-1", 5));
        }

        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("it took 9.9 s until each partition had a leader again");
    }

    @Test
    void a_partition_that_nobody_leads_in_the_end_is_found() {
        SampleDrill drill = new SampleDrill().with(new Event.LeaderObserved(seconds(50), 5, "", 3));

        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("partitions [5] have no leader in the end");
    }

    @Test
    void a_killed_leader_whom_nobody_was_seen_to_replace_is_unknown() {
        Finding finding = new RecoveryChecker(TEN, THREE).check(killedLeader().history());

        assertThat(finding.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_replica_that_led_is_replaced_in_time_whether_or_not_the_fault_was_meant_for_a_leader() {
        SampleDrill drill = new SampleDrill();
        fault(drill, sync(PartAction.STOP, "sync-1"), 20, 30);
        leads(drill, 23.5, 0, "sync-2", 4);

        Finding finding = new RecoveryChecker(TEN, THREE).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description())
                .contains("after \"STOP sync-1\" it took 3.5 s until each partition had a leader again");
    }

    @Test
    void replicas_that_are_restarted_in_turn_are_each_judged_by_what_they_led_then() {
        assertThat(restartedInTurn(28.9).state()).isEqualTo(State.VALID);

        Finding late = restartedInTurn(31.5);
        assertThat(late.state()).isEqualTo(State.VIOLATED);
        assertThat(late.description())
                .contains("after \"RESTART sync-2\" it took 3.5 s until each partition had a leader again")
                .doesNotContain("RESTART sync-1");
    }

    @Test
    void a_fault_of_a_replica_that_led_nothing_or_of_one_named_alike_takes_no_leader_away() {
        for (String part : List.of("sync-3", "sync-10")) {
            SampleDrill drill = new SampleDrill();
            fault(drill, sync(PartAction.KILL, part), 20, 30);
            leads(drill, 25, 0, "sync-2", 4);

            assertThat(new RecoveryChecker(TEN, THREE).check(drill.history()).state())
                    .as(part)
                    .isEqualTo(State.VALID);
        }
    }

    @Test
    void while_nobody_is_left_to_lead_nobody_is_late_and_from_the_first_return_on_everybody_is() {
        assertThat(killedAll(32.5).state()).isEqualTo(State.VALID);
        assertThat(killedAll(33.5).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_replica_that_stood_still_for_a_moment_may_lead_on() {
        SampleDrill unnoticed = new SampleDrill();
        fault(unnoticed, sync(PartAction.FREEZE, "sync-1"), 20, 21);
        assertThat(new RecoveryChecker(TEN, THREE).check(unnoticed.history()).state())
                .isEqualTo(State.VALID);

        SampleDrill noticed = new SampleDrill();
        fault(noticed, sync(PartAction.FREEZE, "sync-1"), 20, 22);
        // Of one partition: the beats of the others came just in time.
        noticed.with(new Event.LeaderObserved(seconds(21.8), 4, "", 3))
                .with(new Event.LeaderObserved(seconds(22.2), 4, "sync-1", 3));
        assertThat(new RecoveryChecker(TEN, THREE).check(noticed.history()).state())
                .isEqualTo(State.VALID);
    }

    /** The second one's partitions, all by then, are led again at that time. */
    private static Finding restartedInTurn(double ledSeconds) {
        SampleDrill drill = new SampleDrill();
        fault(drill, sync(PartAction.RESTART, "sync-1"), 20, 24);
        leads(drill, 20.8, 0, "sync-2", 4);
        fault(drill, sync(PartAction.RESTART, "sync-2"), 28, 32);
        leads(drill, ledSeconds, 0, "sync-1", 5);
        leads(drill, ledSeconds, 1, "sync-1", 4);
        return new RecoveryChecker(TEN, THREE).check(drill.history());
    }

    /** Both, until 30 s and 31 s, and all partitions are led again at that time. */
    private static Finding killedAll(double ledSeconds) {
        SampleDrill drill = new SampleDrill();
        fault(drill, sync(PartAction.KILL, "sync-1"), 20, 30);
        fault(drill, sync(PartAction.KILL, "sync-2"), 20.1, 31);
        leads(drill, 21.6, 0, "", 3);
        leads(drill, 21.6, 1, "", 3);
        leads(drill, ledSeconds, 0, "sync-1", 4);
        leads(drill, ledSeconds, 1, "sync-1", 4);
        return new RecoveryChecker(TEN, THREE).check(drill.history());
    }

    private static void fault(SampleDrill drill, InjectedFault.OfPart fault, double from, double to) {
        drill.with(new Event.FaultBegan(seconds(from), fault.part(), fault, fault.action() + " " + fault.part()))
                .with(new Event.FaultEnded(seconds(to), fault.part()));
    }

    /** Of every second partition, beginning with this one. */
    private static void leads(SampleDrill drill, double at, int first, String leader, long epoch) {
        for (int partition = first; partition < 16; partition += 2) {
            drill.with(new Event.LeaderObserved(seconds(at), partition, leader, epoch));
        }
    }

    private static SampleDrill killedLeader() {
        return new SampleDrill()
                .with(new Event.FaultBegan(seconds(20), "kill-leader", leader(PartAction.KILL, "sync-1"), "a fault"))
                .with(new Event.FaultEnded(seconds(30), "kill-leader"));
    }
}
