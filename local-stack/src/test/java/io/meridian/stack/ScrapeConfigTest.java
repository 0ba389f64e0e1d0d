package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.meridian.stack.ObserverParts.ScrapeConfig;
import io.meridian.stack.plan.PartNames;
import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.plan.Regions;
import io.meridian.stack.plan.StackPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScrapeConfigTest {
    private static final List<String> REGIONS = Regions.with(List.of("sa-east"));

    private final StackPlan plan = new StackPlan(
            Path.of("a home"),
            REGIONS,
            PortPlan.standard(REGIONS, 2, Set.of(PartNames.PROMETHEUS, PartNames.GRAFANA)),
            2,
            false);

    @Test
    void every_service_is_scraped_and_only_limiters_are_of_a_region() throws Exception {
        JsonNode jobs = yaml().path("scrape_configs");

        assertThat(jobs.findValuesAsText("job_name")).containsExactly("limiter", "sync", "config");
        assertThat(jobs.get(0).path("static_configs")).hasSize(12);
        assertThat(jobs.get(0).path("static_configs").findValuesAsText("region"))
                .contains("sa-east", "us-east");
        assertThat(jobs.get(1).toString()).contains("127.0.0.1:8201", "sync-2").doesNotContain("region");
        assertThat(jobs.get(2).toString()).contains("127.0.0.1:8080").doesNotContain("region");
    }

    @Test
    void a_rule_file_may_be_in_a_folder_with_a_space() throws Exception {
        assertThat(yaml().path("rule_files").get(0).asText()).isEqualTo("a home/rules/*.yml");
    }

    @Test
    void grafana_is_told_where_prometheus_and_the_dashboards_are_and_listens_to_this_machine_only() {
        assertThat(new ObserverParts(new StateFolder(Path.of("state")), plan).grafanaSettings())
                .containsEntry("GF_SERVER_HTTP_ADDR", "127.0.0.1")
                .containsEntry("MERIDIAN_PROMETHEUS_URL", "http://127.0.0.1:9090")
                .containsEntry(
                        "MERIDIAN_DASHBOARDS",
                        Path.of("a home/infra/observability/dashboards").toString());
    }

    private JsonNode yaml() throws Exception {
        return new YAMLMapper().readTree(new ScrapeConfig(plan, Path.of("a home/rules")).yaml());
    }
}
