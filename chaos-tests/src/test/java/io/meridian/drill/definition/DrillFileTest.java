package io.meridian.drill.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.meridian.drill.definition.DrillFile.InvalidDrillException;
import io.meridian.drill.definition.LoadPlan.Arrival;
import io.meridian.drill.definition.LoadPlan.PolicyLoad;
import io.meridian.drill.history.InjectedFault.Direction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrillFileTest {
    private static final String SHORT = """
            title: Mine
            method:
              - type: action
                name: cut
                provider:
                  type: meridian
                  func: network
                  arguments: {action: partition, selector: {regions: [eu-west]}}
            """;

    @Test
    void a_file_of_ten_lines_is_a_drill() throws IOException {
        Drill drill = read(SHORT);

        assertThat(drill.title()).isEqualTo("Mine");
        assertThat(drill.load().window()).isEqualTo(Duration.ofSeconds(5));
        assertThat(drill.load().policies()).hasSize(3);
        assertThat(drill.hypothesis()).hasSize(2);
        Provider.Network network = (Provider.Network) drill.method().get(0).provider();
        assertThat(network.fault().direction()).isEqualTo(Direction.BOTH);
    }

    @Test
    void json_is_read_too() throws IOException {
        assertThat(read("{\"title\": \"t\", \"method\": [{\"type\": \"probe\", \"name\": \"n\","
                                + " \"provider\": {\"type\": \"process\", \"path\": \"true\"}}]}")
                        .method())
                .hasSize(1);
    }

    @Test
    void all_errors_are_told_at_once_each_with_its_place_and_value() {
        List<String> errors = errors("""
                titel: Mine
                method:
                  - type: action
                    name: cut
                    provider:
                      type: meridian
                      func: network
                      arguments: {action: partition, selector: {regions: [eu-west]}, direction: sideways, duration: 5}
                  - type: deed
                    name: kill
                    provider:
                      type: meridian
                      func: process
                      arguments: {action: kill, target: redis}
                  - {type: action, name: x, provider: {type: magic}}
                """);

        assertThat(errors)
                .contains(
                        "title: is missing",
                        "titel: is not a known field",
                        "method[0].provider.arguments.direction: must be one of to, from, both, got \"sideways\"",
                        "method[0].provider.arguments.duration: must be of type string, got 5",
                        "method[1].type: must be one of action, probe, got \"deed\"",
                        "method[1].provider.arguments.region: is missing",
                        "method[2].provider.type: must be one of meridian, process, http, got \"magic\"");
    }

    @Test
    void a_delay_needs_its_latency_and_nothing_else_has_one() {
        assertThat(errors(SHORT.replace("action: partition", "action: delay")))
                .containsExactly("method[0].provider.arguments.delay: is missing");
        assertThat(errors(SHORT.replace("action: partition", "action: partition, delay: {latency: 1s}")))
                .anyMatch(error -> error.startsWith(
                        "method[0].provider.arguments.delay: is not allowed together with the other fields"));
    }

    @Test
    void a_length_of_time_that_is_none_is_shown_what_one_looks_like() {
        assertThat(errors(SHORT.replace("action: partition", "action: partition, duration: long")))
                .containsExactly("method[0].provider.arguments.duration: must be like 300ms, 5s or 2m, got \"long\"");
    }

    @Test
    void what_only_the_whole_can_tell_is_refused_with_its_place() {
        assertThat(errors(SHORT
                        + "extensions: [{name: meridian, load: {policies: [{sharing: escrow}, {sharing: escrow}]}}]"))
                .singleElement()
                .asString()
                .startsWith("extensions.load: policies must differ");
        assertThat(errors(SHORT.replace("{regions: [eu-west]}", "{regions: [a]}, target: {selector: {regions: [a]}}")))
                .containsExactly("method[0].provider: target must not be among the selected, got a in both");
    }

    @Test
    void a_policy_is_asked_evenly_unless_its_arrival_is_given() throws IOException {
        Drill drill =
                read(SHORT + "extensions: [{name: meridian, load: {policies: [{sharing: regional}, {sharing: escrow,"
                        + " arrival: burst}, {sharing: converge, arrival: first-region}]}}]");

        assertThat(drill.load().policies().stream().map(PolicyLoad::arrival))
                .containsExactly(Arrival.EVEN, Arrival.BURST, Arrival.FIRST_REGION);
        assertThat(drill.load().withWindow(Duration.ofSeconds(10)).policies().stream()
                        .map(PolicyLoad::arrival))
                .containsExactly(Arrival.EVEN, Arrival.BURST, Arrival.FIRST_REGION);
    }

    @Test
    void an_arrival_that_is_none_or_lacks_the_demand_for_it_is_refused() {
        String load = SHORT + "extensions: [{name: meridian, load: {policies: [{sharing: escrow, %s}]}}]";

        assertThat(errors(load.formatted("arrival: flood")))
                .containsExactly(
                        "extensions[0].load.policies[0].arrival: must be one of even, first-region, burst, got \"flood\"");
        assertThat(errors(load.formatted("arrival: first-region, demand: 0.5")))
                .containsExactly("extensions.load: demand must be at least 1 for arrival first-region,"
                        + " so that one region uses the limit up, got 0.5");
    }

    @Test
    void a_load_that_no_drill_may_put_on_a_world_is_refused_by_its_rate_or_by_what_comes_at_once() throws IOException {
        String load =
                SHORT + "extensions: [{name: meridian, load: {policies: [{sharing: escrow, limit: %d, arrival: %s}]}}]";

        read(load.formatted(250, "burst")).load().requireWithinBounds(5);
        assertThatThrownBy(() -> read(load.formatted(251, "burst")).load().requireWithinBounds(5))
                .hasMessage("load must be at most 500 checks at once, got 505");
        assertThatThrownBy(
                        () -> read(load.formatted(3_000, "first-region")).load().requireWithinBounds(5))
                .hasMessage("load must be at most 2000 checks per second, got 2400");
        assertThatThrownBy(() -> read(load.formatted(6_000, "even")).load().requireWithinBounds(5))
                .hasMessage("load must be at most 2000 checks per second, got 2400");
    }

    @Test
    void a_pattern_that_is_none_is_refused_with_its_place_and_value() {
        assertThat(errors(SHORT + "  - {type: probe, name: p, tolerance: {type: regex, pattern: 'o('},"
                        + " provider: {type: process, path: p}}\n"))
                .containsExactly("method[1].tolerance: pattern must be a regular expression, got o(: Unclosed group");
    }

    @Test
    void nothing_lasts_longer_than_an_hour() throws IOException {
        read(SHORT.replace("action: partition", "action: partition, duration: 60m"));

        assertThat(errors(SHORT.replace("action: partition", "action: partition, duration: 61m")))
                .containsExactly("method[0].provider: a duration must be at most 60m, got 61m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host/", "localhost:8080", "/health", "http:///health", "http://a b/"})
    void a_request_that_goes_nowhere_is_refused_by_its_url(String url) {
        assertThat(errors(SHORT + "  - {type: probe, name: p, provider: {type: http, url: '" + url + "'}}\n"))
                .singleElement()
                .asString()
                .startsWith("method[1].provider: ")
                .contains(url);
    }

    @Test
    void rollbacks_for_which_nobody_would_wait_are_refused() {
        String undo = "  - {type: action, name: u, provider: {type: process, path: u, timeout: 600}}\n";

        assertThat(errors(SHORT + "rollbacks:\n" + undo.repeat(4)))
                .singleElement()
                .asString()
                .startsWith("rollbacks: timeouts, durations and pauses must be at most 1800s together, got 2400s");
    }

    @Test
    void configuration_is_put_where_it_is_named() throws IOException {
        String file = SHORT.replace("eu-west", "'${where}'")
                + "configuration: {where: {type: env, key: WHERE, default: us-east}}\n";

        assertThat(regions(DrillFile.read("f", "f", bytes(file), Map.of()))).containsExactly("us-east");
        assertThat(regions(DrillFile.read("f", "f", bytes(file), Map.of("WHERE", "ap-south"))))
                .containsExactly("ap-south");
        assertThat(errors(SHORT.replace("eu-west", "'${where}'")))
                .containsExactly(
                        "method[0].provider.arguments.selector.regions[0]: ${where} is not in the configuration");
    }

    @Test
    void what_is_no_yaml_is_refused_with_its_line() {
        assertThatThrownBy(() -> read("title: a\ntitle: b\n"))
                .isInstanceOf(InvalidDrillException.class)
                .hasMessageContaining("line 2");
    }

    private static List<String> regions(Drill drill) {
        return ((Provider.Network) drill.method().get(0).provider()).fault().regions();
    }

    private static List<String> errors(String text) {
        InvalidDrillException refused = catchThrowableOfType(InvalidDrillException.class, () -> read(text));
        assertThat(refused).isNotNull();
        return refused.errors();
    }

    private static Drill read(String text) throws IOException {
        return DrillFile.read("mine.yaml", "mine", bytes(text), Map.of());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
