package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.config.regions.RegionActivity.CutOff;
import io.meridian.config.regions.RegionActivity.PartitionLeader;
import io.meridian.config.regions.RegionActivity.RegionState;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.InstanceReport.Checks;
import io.meridian.model.wire.InstanceReport.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RegionActivityTest {
    private static final long SECOND = 1_000_000;
    private static final long NOW = 1_000 * SECOND;

    private final RegionActivity activity = new RegionActivity(Duration.ofSeconds(2), Duration.ofSeconds(3));

    @Test
    void rates_are_the_differences_of_two_reports_summed_over_instances() {
        assertThat(only(List.of(report("a", 10, 100, 0), report("b", 10, 50, 0)))
                        .checksPerSecond())
                .isNull();
        RegionState state = only(List.of(report("a", 12, 300, 0), report("b", 11, 60, 0)));

        assertThat(state.checksPerSecond()).isEqualTo(110.0);
        assertThat(state.deniedPerSecond()).isEqualTo(11.0);
        assertThat(state.degradedPerSecond()).isEqualTo(1.0);
        assertThat(state.reporting()).isEqualTo(2);
        // The same reports again change nothing.
        assertThat(only(List.of(report("a", 12, 300, 0), report("b", 11, 60, 0)))
                        .checksPerSecond())
                .isEqualTo(110.0);
    }

    @Test
    void a_region_is_cut_off_from_its_last_report_on_and_back_with_the_next() {
        Instance last = report("a", 10, 100, 0);
        RegionState before = state(last, NOW + 2 * SECOND - 1);
        RegionState cut = state(last, NOW + 2 * SECOND);

        assertThat(before.cutOff()).isNull();
        assertThat(cut.cutOff()).isEqualTo(new CutOff("1970-01-01T00:16:40Z", "no_report"));
        assertThat(cut.reporting()).isZero();
        assertThat(cut.checksPerSecond()).isNull();
        assertThat(cut.stalenessMs()).isNull();
        assertThat(cut.reportAgeMs()).isEqualTo(2_000.0);
        assertThat(state(last, NOW).cutOff()).isNull();
    }

    @Test
    void a_region_that_hears_no_leader_is_cut_off_unless_one_of_its_instances_does() {
        Instance deaf = report("a", 10, 100, 3 * SECOND);
        assertThat(state(deaf, NOW).cutOff()).isEqualTo(new CutOff("1970-01-01T00:16:37Z", "no_leader"));
        assertThat(state(deaf, NOW).stalenessMs()).isEqualTo(3_000.0);

        assertThat(only(List.of(deaf, report("b", 10, 100, SECOND))).cutOff()).isNull();
    }

    @Test
    void leaders_are_those_that_the_last_report_names() {
        Instance late = new Instance(withLeader("a", "sync-1"), NOW, true);
        Instance latest = new Instance(withLeader("b", "sync-2"), NOW + 1, true);

        assertThat(activity.observe(List.of(latest, late), NOW + 2).leaders())
                .containsExactly(new PartitionLeader(0, "sync-2"));
        assertThat(activity.observe(List.of(latest, late), NOW + 3 * SECOND).leaders())
                .isEmpty();
    }

    private RegionState only(List<Instance> instances) {
        return activity.observe(instances, NOW).regions().get(0);
    }

    private RegionState state(Instance instance, long nowMicros) {
        return activity.observe(List.of(instance), nowMicros).regions().get(0);
    }

    private static Instance report(String name, long second, long checks, long silentMicros) {
        return new Instance(
                new InstanceReport(
                        "eu",
                        name,
                        1,
                        "topic",
                        0,
                        second * SECOND,
                        0,
                        new Loop(0, 0, 0, silentMicros, 0),
                        "",
                        new Checks(checks, checks / 10, checks / 100),
                        new TreeMap<>()),
                NOW,
                true);
    }

    private static InstanceReport withLeader(String name, String replica) {
        return new InstanceReport(
                "eu", name, 1, "topic", 0, 0, 0, Loop.NONE, "", Checks.NONE, new TreeMap<>(Map.of(0, replica)));
    }
}
