package io.meridian.infra.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Configurations of gateways that no package of Debian or Maven has: parsed, and what they name must be there. */
class GatewayFormsTest {
    private static final ObjectMapper YAML =
            new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private static final String PATH = "/api/v1/rate-limit/forward-auth";

    @Test
    void traefik_routes_name_services_entry_points_and_middlewares_that_exist() throws Exception {
        JsonNode dynamic = read("traefik/dynamic.yaml").path("http");
        JsonNode entryPoints = read("traefik/traefik.yaml").path("entryPoints");

        dynamic.path("routers").forEach(router -> {
            assertThat(dynamic.path("services").has(router.path("service").asText()))
                    .isTrue();
            router.path("entryPoints")
                    .forEach(each -> assertThat(entryPoints.has(each.asText())).isTrue());
            router.path("middlewares")
                    .forEach(each -> assertThat(dynamic.path("middlewares").has(each.asText()))
                            .isTrue());
        });
        JsonNode auth = dynamic.at("/middlewares/meridian/forwardAuth");
        assertThat(auth.path("address").asText())
                .isEqualTo("http://" + entryPoints.at("/internal/address").asText() + PATH);
        assertThat(auth.path("trustForwardHeader").asBoolean(true)).isFalse();
        JsonNode limiter = dynamic.at("/services/meridian/loadBalancer");
        assertThat(dynamic.path("serversTransports")
                        .has(limiter.path("serversTransport").asText()))
                .isTrue();
        assertThat(dynamic.at("/services/meridian-or-open/failover/service").asText())
                .isEqualTo("meridian");
        assertThat(limiter.path("healthCheck").has("timeout")).isTrue();
    }

    @Test
    void kong_calls_the_limiter_in_time_and_keeps_its_connection() throws Exception {
        JsonNode plugin = read("kong/kong.yaml").at("/services/0/plugins/0");

        assertThat(plugin.path("name").asText()).isEqualTo("pre-function");
        List<String> phases = new ArrayList<>();
        plugin.path("config").fieldNames().forEachRemaining(phases::add);
        assertThat(phases).containsExactly("access", "header_filter");
        assertThat(plugin.at("/config/access/0").asText())
                .contains(PATH, "set_timeouts(50, 200, 200)", "set_keepalive", "kong.response.exit");
    }

    private static JsonNode read(String file) throws IOException {
        return YAML.readTree(Gateway.CONFIGURATIONS.resolve(file).toFile());
    }
}
