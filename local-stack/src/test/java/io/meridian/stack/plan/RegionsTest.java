package io.meridian.stack.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionsTest {
    @Test
    void added_regions_follow_the_five_and_so_do_their_ports() {
        List<String> regions = Regions.with(List.of("sa-east", "af-south"));

        PortPlan ports = PortPlan.standard(regions, PortPlan.LIMITERS_PER_REGION_MAX, Set.of());

        assertThat(regions).startsWith("us-east").endsWith("sa-east", "af-south");
        assertThat(ports.of("limiter-sa-east")).isEqualTo(8106);
        assertThat(ports.of("limiter-af-south-10")).isEqualTo(8197);
        assertThat(ports.of("redis-sa-east")).isEqualTo(16_376);
        assertThat(ports.of("kafka-af-south")).isEqualTo(19_107);
        assertThat(Regions.places(regions)).startsWith(Regions.CENTRE).hasSize(8);
    }

    @Test
    void as_many_as_have_ports_can_be_added() {
        List<String> four = names(4);

        assertThat(PortPlan.standard(Regions.with(four), PortPlan.LIMITERS_PER_REGION_MAX, Set.of())
                        .ports())
                .containsKey("limiter-d-10");
        assertThatThrownBy(() -> Regions.with(names(5))).hasMessageContaining("at most 9 regions, got 10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "EU", "eu west", "eu-", "-eu", "eu-2", "centre", "../eu"})
    void a_name_that_would_be_taken_for_something_else_is_refused(String name) {
        assertThatThrownBy(() -> Regions.with(List.of(name))).hasMessageEndingWith("got " + name);
    }

    @Test
    void a_region_is_added_once() {
        assertThatThrownBy(() -> Regions.with(List.of("eu-west"))).hasMessageContaining("already is a region eu-west");
    }

    @Test
    void what_observes_has_a_port_only_where_it_is_started() {
        PortPlan plain = PortPlan.standard(Regions.ALL, 1, Set.of());
        PortPlan observed = PortPlan.standard(Regions.ALL, 1, Set.of(PartNames.PROMETHEUS));

        assertThat(plain.has(PartNames.PROMETHEUS)).isFalse();
        assertThat(observed.of(PartNames.PROMETHEUS)).isEqualTo(9090);
        assertThat(observed.has(PartNames.GRAFANA)).isFalse();
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count)
                .mapToObj(each -> String.valueOf((char) ('a' + each)))
                .toList();
    }
}
