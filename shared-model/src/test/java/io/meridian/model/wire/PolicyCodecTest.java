package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyCodecTest {
    /** What version 1 wrote. It is in topics: it must be read for ever. */
    private static final String V1 = """
            {"format":1,"id":"p","name":"","description":"",\
            "applies_to":{"endpoints":["/api/*"],"methods":["GET"],"tiers":[],"headers":{},"regions":[]},\
            "key":["api_key"],"algorithm":"fixed_window","limit":10,"window":"1m","burst":0,"cost":1,\
            "endpoint_costs":[],"scope":"regional","mode":"converge","on_exhausted":"deny","floor_percent":50,\
            "after_heal":"forgive","action":"reject","soft_limit_percent":0,"on_failure":"local","adaptive":false,\
            "priority":0,"enabled":true,\
            "version":3,"created_at":"2026-01-15T11:00:00Z","updated_at":"2026-01-15T11:00:00Z"}""";

    @Test
    void version_1_is_read_and_written_as_it_always_was() {
        assertThat(PolicyJson.encode(PolicyJson.decode(V1))).isEqualTo(V1);
    }

    @Test
    void what_came_after_version_1_is_written_where_it_is_not_the_default() {
        String both = V1.replace("\"headers\":{},", "\"headers\":{},\"attributes\":{\"tenant\":[\"acme\"]},")
                .replace("\"enabled\":true,", "\"enabled\":true,\"protected\":true,");

        assertThat(PolicyJson.encode(PolicyJson.decode(both))).isEqualTo(both);
        assertThat(PolicyJson.decode(both).isProtected()).isTrue();
        assertThat(PolicyJson.decode(both).appliesTo().attributes()).isEqualTo(Map.of("tenant", Set.of("acme")));
    }

    @Test
    void a_field_of_a_later_build_is_skipped_where_the_api_would_refuse_it() {
        String later = V1.replace("\"limit\":10", "\"limit\":10,\"color\":\"red\"");

        assertThat(PolicyJson.decode(later)).isEqualTo(PolicyJson.decode(V1));
        assertThatThrownBy(() -> PolicyJson.read(later)).isInstanceOf(MalformedException.class);
    }

    @Test
    void a_format_of_the_future_is_refused_by_number() {
        assertThatThrownBy(() -> PolicyJson.decode(V1.replace("\"format\":1", "\"format\":2")))
                .isInstanceOf(WireException.class)
                .hasMessage("policy format must be from 1 to 1, got 2");
        assertThatThrownBy(() -> PolicyJson.decode("{}")).isInstanceOf(WireException.class);
    }
}
