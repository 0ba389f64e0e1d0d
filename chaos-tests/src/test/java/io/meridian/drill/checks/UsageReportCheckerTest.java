package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.ESCROW;
import static io.meridian.drill.sample.SampleDrill.LIMIT;
import static io.meridian.drill.sample.SampleDrill.REGIONAL;
import static io.meridian.drill.sample.SampleDrill.between;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static io.meridian.drill.sample.SampleFaults.kafka;
import static io.meridian.drill.sample.SampleFaults.limiter;
import static io.meridian.drill.sample.SampleFaults.redis;
import static io.meridian.drill.sample.SampleFaults.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.UsageReported;
import io.meridian.drill.history.InjectedFault;
import io.meridian.drill.history.InjectedFault.PartAction;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** What of usage that was not told, or told too often, can be explained, and what cannot. */
class UsageReportCheckerTest {
    @Test
    void one_unit_that_was_not_told_of_is_lost() {
        Finding finding = new UsageReportChecker().check(toldOff(-1).history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description())
                .contains("164 of 165 windows of regions reported exactly; 1 wrong", "lost: less by 1");
    }

    @Test
    void one_unit_told_too_much_is_wrong_too_unless_a_check_failed_or_a_limiter_was_killed() {
        assertThat(new UsageReportChecker().check(toldOff(1).history()).state()).isEqualTo(State.VIOLATED);

        SampleDrill killed = toldOff(0)
                .checks(check -> isEscrow(check, "us-east") && between(check, 10, 12), Changes::denied)
                .with(began(11, limiter(PartAction.KILL, "us-east")))
                .with(new Event.FaultEnded(seconds(12), "f"));
        assertThat(new UsageReportChecker().check(killed.history()).state()).isEqualTo(State.VALID);

        SampleDrill failed = new SampleDrill()
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 10.05), Changes::failed);
        Finding finding = new UsageReportChecker().check(failed.history());
        assertThat(finding.state()).isEqualTo(State.VALID);
        assertThat(finding.figures()).containsEntry("tolerated", 5L).containsEntry("exact", 160L);
    }

    @Test
    void a_window_may_be_off_by_its_degraded_answers_and_a_wiped_redis_by_one_report() {
        SampleDrill degraded = toldOff(-3)
                .checks(
                        check -> check.policy().equals(ESCROW.policy())
                                && check.region().equals("us-east")
                                && between(check, 10, 10.15),
                        Changes::degraded);
        assertThat(new UsageReportChecker().check(degraded.history()).state()).isEqualTo(State.VALID);

        SampleDrill wiped = toldOff(-5)
                .with(began(11, redis(PartAction.WIPE, "us-east")))
                .with(new Event.FaultEnded(seconds(11), "f"));
        assertThat(new UsageReportChecker().check(wiped.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void what_was_under_way_at_the_edge_of_a_window_and_decided_without_redis_may_be_charged_on_either_side() {
        SampleDrill before = toldOff(1).with(degraded(seconds(9.5), seconds(9.8)));
        assertThat(new UsageReportChecker().check(before.history()).state()).isEqualTo(State.VIOLATED);

        SampleDrill across = toldOff(1).with(degraded(seconds(9.5), seconds(10.3)));
        assertThat(new UsageReportChecker().check(across.history()).state()).isEqualTo(State.VALID);
    }

    @Test
    void an_answer_without_redis_may_have_leased_a_part_of_the_limit_that_counts_as_spent_and_no_more() {
        assertThat(new UsageReportChecker()
                        .check(oneDegraded(1 + LIMIT / 16).history())
                        .state())
                .isEqualTo(State.VALID);
        assertThat(new UsageReportChecker()
                        .check(oneDegraded(2 + LIMIT / 16).history())
                        .state())
                .isEqualTo(State.VIOLATED);
    }

    private static SampleDrill oneDegraded(long by) {
        return toldOff(by).with(degraded(seconds(10.5), seconds(10.6)));
    }

    @Test
    void usage_that_nobody_read_is_unknown() {
        SampleDrill drill = new SampleDrill().without(UsageReported.class::isInstance);

        assertThat(new UsageReportChecker().check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_killed_limiter_explains_what_is_missing_shortly_before_its_end_and_not_after() {
        assertThat(new UsageReportChecker().check(killedLimiter(8).history()).state())
                .isEqualTo(State.VIOLATED);
        assertThat(new UsageReportChecker().check(killedLimiter(11).history()).state())
                .isEqualTo(State.VALID);
        assertThat(new UsageReportChecker().check(killedLimiter(20).history()).state())
                .isEqualTo(State.VALID);
        assertThat(new UsageReportChecker().check(killedLimiter(22).history()).state())
                .isEqualTo(State.VIOLATED);
    }

    @Test
    void what_was_denied_without_redis_explains_no_lost_usage() {
        SampleDrill drill = toldOff(-1)
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 14, 14.1), Changes::degraded);

        assertThat(new UsageReportChecker().check(drill.history()).state()).isEqualTo(State.VIOLATED);
    }

    @Test
    void what_one_region_lost_no_surplus_of_another_makes_good() {
        SampleDrill drill = toldOff(toldOff(-1), "us-west", 1);

        Finding finding = new UsageReportChecker().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("163 of 165 windows of regions reported exactly; 2 wrong");
    }

    @Test
    void a_redis_that_lost_its_data_explains_what_is_missing_in_its_own_region_only() {
        assertThat(judged(toldOff(-5), redis(PartAction.WIPE, "us-east"))).isEqualTo(State.VALID);
        assertThat(judged(toldOff(-5), redis(PartAction.WIPE, "us-west"))).isEqualTo(State.VIOLATED);
        assertThat(judged(toldOff(-5), redis(PartAction.WIPE, "us-eastern"))).isEqualTo(State.VIOLATED);
        assertThat(judged(toldOff(-5), kafka(PartAction.KILL))).isEqualTo(State.VIOLATED);
    }

    @Test
    void a_redis_explains_no_more_than_its_own_region_was_asked_for() {
        SampleDrill busyElsewhere = toldOff(-11);
        for (int i = 0; i < 200; i++) {
            busyElsewhere.with(new Checked(
                    seconds(11),
                    0,
                    seconds(11.1),
                    "us-west",
                    ESCROW.policy(),
                    Event.Outcome.DENIED,
                    SampleDrill.windowEnd(seconds(11)),
                    false,
                    false,
                    ""));
        }

        assertThat(judged(busyElsewhere, redis(PartAction.WIPE, "us-east"))).isEqualTo(State.VIOLATED);
        assertThat(judged(toldOff(-10), redis(PartAction.WIPE, "us-east"))).isEqualTo(State.VALID);
    }

    @Test
    void leases_of_a_killed_limiter_explain_what_is_told_too_much_in_its_own_region_only() {
        assertThat(judged(leasedAhead(), limiter(PartAction.KILL, "us-east"))).isEqualTo(State.VALID);
        assertThat(judged(leasedAhead(), limiter(PartAction.KILL, "eu-west"))).isEqualTo(State.VIOLATED);
        assertThat(judged(leasedAhead(), sync(PartAction.KILL, "sync-1"))).isEqualTo(State.VIOLATED);
    }

    @Test
    void answers_without_redis_and_failed_checks_explain_nothing_in_another_region() {
        SampleDrill degraded =
                toldOff(-1).checks(check -> isEscrow(check, "us-west") && between(check, 10, 10.15), Changes::degraded);
        assertThat(new UsageReportChecker().check(degraded.history()).state()).isEqualTo(State.VIOLATED);

        SampleDrill failed =
                toldOff(1).checks(check -> isEscrow(check, "us-west") && between(check, 10, 10.05), Changes::failed);
        assertThat(new UsageReportChecker().check(failed.history()).state()).isEqualTo(State.VIOLATED);
    }

    private static boolean isEscrow(Checked check, String region) {
        return check.policy().equals(ESCROW.policy()) && check.region().equals(region);
    }

    /** Told of as spent in us-east, and not admitted. */
    private static SampleDrill leasedAhead() {
        return new SampleDrill()
                .checks(check -> isEscrow(check, "us-east") && between(check, 11, 11.5), Changes::denied);
    }

    private static Event began(double atSeconds, InjectedFault fault) {
        return new Event.FaultBegan(seconds(atSeconds), "f", fault, "a fault");
    }

    /** With a fault amid the window from 10 s to 15 s. */
    private static State judged(SampleDrill drill, InjectedFault fault) {
        drill.with(began(11, fault)).with(new Event.FaultEnded(seconds(12), "f"));
        return new UsageReportChecker().check(drill.history()).state();
    }

    /** What was told of one window of escrow is off by so much. */
    private static SampleDrill toldOff(long by) {
        return toldOff(new SampleDrill(), "us-east", by);
    }

    private static SampleDrill toldOff(SampleDrill drill, String region, long by) {
        long window = SampleDrill.windowEnd(seconds(10));
        UsageReported told = drill.history().of(UsageReported.class).stream()
                .filter(usage -> usage.policy().equals(ESCROW.policy()))
                .filter(usage ->
                        usage.windowEndMicros() == window && usage.region().equals(region))
                .findFirst()
                .orElseThrow();
        return drill.with(new UsageReported(
                told.atNanos(), told.policy(), told.region(), told.windowEndMicros(), told.used() + by));
    }

    /** A limiter is killed then, for 15 s, and of a region's own limit some are missing in the window from 10 s to 15 s. */
    private static SampleDrill killedLimiter(double atSeconds) {
        SampleDrill drill = new SampleDrill();
        UsageReported told = drill.history().of(UsageReported.class).stream()
                .filter(usage -> usage.policy().equals(REGIONAL.policy()))
                .filter(usage -> usage.windowEndMicros() == SampleDrill.windowEnd(seconds(10))
                        && usage.region().equals("us-east"))
                .findFirst()
                .orElseThrow();
        return drill.with(new UsageReported(
                        told.atNanos(), told.policy(), told.region(), told.windowEndMicros(), told.used() - 5))
                .with(began(atSeconds, limiter(PartAction.KILL, "us-east")))
                .with(new Event.FaultEnded(seconds(atSeconds + 15), "f"));
    }

    /** Denied, in the window in which it was sent. */
    private static Checked degraded(long atNanos, long answeredNanos) {
        long window = SampleDrill.windowEnd(atNanos);
        return new Checked(
                atNanos, 0, answeredNanos, "us-east", ESCROW.policy(), Event.Outcome.DENIED, window, true, false, "");
    }
}
