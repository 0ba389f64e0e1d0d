package io.meridian.stack.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortPlanTest {
    @ParameterizedTest
    @CsvSource({
        "config-service, 8080",
        "limiter-us-east, 8101",
        "limiter-ap-northeast, 8105",
        "limiter-us-east-2, 8111",
        "limiter-ap-northeast-10, 8195",
        "sync-1, 8201",
        "sync-2, 8202",
        "kafka-centre, 19092",
        "postgres, 15432",
        "redis-us-east, 16371",
        "redis-ap-northeast, 16375"
    })
    void the_usual_ports_are_those_of_the_contract(String name, int port) {
        assertThat(PortPlan.standard(Regions.ALL, PortPlan.LIMITERS_PER_REGION_MAX, Set.of())
                        .of(name))
                .isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 11})
    void a_number_of_limiters_without_ports_is_refused(int limiters) {
        assertThatThrownBy(() -> PortPlan.standard(Regions.ALL, limiters, Set.of()))
                .hasMessageContaining("got " + limiters);
    }

    @Test
    void a_moved_part_is_elsewhere_and_the_others_stay() {
        PortPlan plan = PortPlan.standard(Regions.ALL, 1, Set.of()).with(Map.of("postgres", 5432));

        assertThat(plan.of("postgres")).isEqualTo(5432);
        assertThat(plan.of("config-service")).isEqualTo(8080);
    }

    @Test
    void a_name_that_does_not_exist_is_refused_with_those_that_do() {
        assertThatThrownBy(() -> PortPlan.standard(Regions.ALL, 1, Set.of()).with(Map.of("postgers", 1)))
                .hasMessageContaining("no port called postgers")
                .hasMessageContaining("postgres, ");
    }

    @Test
    void two_parts_at_one_port_are_refused_by_name() {
        assertThatThrownBy(() -> PortPlan.standard(Regions.ALL, 1, Set.of()).with(Map.of("sync-1", 8080)))
                .hasMessageContaining("8080 is wanted by both config-service and sync-1");
    }

    @Test
    void a_port_out_of_range_is_refused() {
        assertThatThrownBy(() -> PortPlan.standard(Regions.ALL, 1, Set.of()).with(Map.of("sync-1", 70_000)))
                .hasMessageContaining("got 70000");
    }
}
