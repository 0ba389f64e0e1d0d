package io.meridian.chaos.global;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.model.match.Shard;
import org.junit.jupiter.api.Test;

/** What is understood of a replica's words. */
class SyncTest {
    private static final Subject SUBJECT = new Subject("p", "42");

    @Test
    void a_limit_is_led_by_the_leader_of_its_partition() throws Exception {
        int partition = Shard.of("p", "user_id=42").partition(2);
        Leads leads = leads(partition == 0 ? "sync-1" : "sync-2", partition == 0 ? "sync-2" : "sync-1");

        assertThat(leads.isOf("sync-1", SUBJECT)).isTrue();
        assertThat(leads.isOf("sync-2", SUBJECT)).isFalse();
        assertThat(leads.areAllOf("sync-1")).isFalse();
        assertThat(leads("sync-1", "sync-1").areAllOf("sync-1")).isTrue();
    }

    @Test
    void whoever_knows_of_no_partition_leads_nothing() throws Exception {
        Leads none = Leads.of(new ObjectMapper().readTree("{\"replica\": \"sync-1\", \"partitions\": []}"));

        assertThat(none.areAllOf("sync-1")).isFalse();
        assertThat(none.isOf("sync-1", SUBJECT)).isFalse();
    }

    @Test
    void refusals_are_added_up_over_tags() {
        String metrics = """
                # TYPE meridian_sync_fenced_total counter
                meridian_sync_fenced_total{partition="1"} 2.0
                meridian_sync_fenced_total 1.0
                """;

        assertThat(Refusals.inMetrics(metrics)).isEqualTo(3);
        assertThat(Refusals.inMetrics("meridian_sync_ticks_total 7.0\n")).isZero();
    }

    @Test
    void joining_again_is_no_refusal() {
        assertThat(Refusals.inLog("Successfully joined group with generation Generation{generationId=3}"))
                .isFalse();
        assertThat(Refusals.inLog("org.apache.kafka.common.errors.ProducerFencedException: newer"))
                .isTrue();
    }

    private static Leads leads(String first, String second) throws Exception {
        return Leads.of(new ObjectMapper()
                .readTree(
                        "{\"partitions\": [{\"partition\": 0, \"leader\": \"%s\"}, {\"partition\": 1, \"leader\": \"%s\"}]}"
                                .formatted(first, second)));
    }
}
