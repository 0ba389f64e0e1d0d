package io.meridian.config.regions;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQuery;
import io.meridian.model.wire.RegionQuery.Kind;
import io.meridian.model.wire.RegionQueryReply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PendingQueryTest {
    private static final List<Instance> WORLD = List.of(
            instance("eu", "a", true),
            instance("eu", "b", true),
            instance("us", "c", true),
            instance("ap", "d", false));

    @Test
    void a_status_is_known_when_one_instance_of_every_live_region_has_told_it() {
        PendingQuery open = open(Kind.STATUS);
        open.answered(good("eu", "b"));
        assertThat(open.done()).isNotDone();
        open.answered(good("us", "c"));

        assertThat(open.done()).isCompletedWithValue(true);
        assertThat(open.collected().answers())
                .extracting(RegionQueryReply::region)
                .containsExactly("eu", "us");
        assertThat(open.collected().missing())
                .as("known, but not heard of lately")
                .containsExactly("ap");
    }

    @Test
    void a_reset_is_done_when_every_live_instance_has_done_it() {
        PendingQuery open = open(Kind.RESET);
        open.answered(good("us", "c"));
        open.answered(good("eu", "a"));
        open.answered(good("eu", "a"));
        assertThat(open.done()).isNotDone();
        assertThat(open.collected().missing())
                .as("the leases of b are still held")
                .containsExactly("ap", "eu");
        open.answered(good("eu", "b"));

        assertThat(open.done()).isCompletedWithValue(true);
        assertThat(open.collected().missing()).containsExactly("ap");
    }

    @Test
    void a_region_none_of_whose_instances_can_say_is_missing_and_not_waited_for() {
        PendingQuery open = open(Kind.STATUS);
        open.answered(good("us", "c"));
        open.answered(failed("eu", "a"));
        assertThat(open.done()).isNotDone();
        open.answered(failed("eu", "b"));

        assertThat(open.done()).isCompletedWithValue(true);
        assertThat(open.collected().missing()).containsExactly("ap", "eu");
    }

    @Test
    void one_failure_leaves_a_reset_undone() {
        PendingQuery open = open(Kind.RESET);
        open.answered(good("us", "c"));
        open.answered(good("eu", "a"));
        open.answered(failed("eu", "b"));

        assertThat(open.done()).isCompletedWithValue(true);
        assertThat(open.collected().missing()).containsExactly("ap", "eu");
    }

    @Test
    void who_was_not_expected_counts_for_nobody() {
        PendingQuery open = open(Kind.RESET);
        open.answered(good("us", "c"));
        open.answered(good("eu", "a"));
        open.answered(good("eu", "new"));

        assertThat(open.done()).isNotDone();
    }

    private static PendingQuery open(Kind kind) {
        return new PendingQuery(new RegionQuery("q", kind, Map.of("user_id", "1"), "", "", 1, 2), WORLD);
    }

    private static RegionQueryReply good(String region, String instance) {
        return new RegionQueryReply("q", region, instance, List.of(), null);
    }

    private static RegionQueryReply failed(String region, String instance) {
        return new RegionQueryReply("q", region, instance, List.of(), "its Redis is away");
    }

    private static Instance instance(String region, String name, boolean live) {
        return new Instance(new InstanceReport(region, name, 1, "topic", 0, 0, 0), 0, live);
    }
}
