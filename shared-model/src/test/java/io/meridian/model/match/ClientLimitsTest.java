package io.meridian.model.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientLimitsTest {
    private static final PolicyIndex POLICIES = PolicyIndex.compile(
            List.of(
                    policy("a-user", "[\"user_id\"]", ""),
                    policy("b-narrow", "[\"user_id\"]", """
                            {"endpoints": ["/x"], "methods": ["PUT"], "headers": {"h": "1"}}"""),
                    policy("c-tenant", "[\"tenant\", \"user_id\"]", ""),
                    policy("d-all", "[]", ""),
                    policy("e-endpoint", "[\"user_id\", \"endpoint\"]", ""),
                    policy("f-method", "[\"method\", \"user_id\"]", ""),
                    policy("g-only-endpoint", "[\"endpoint\", \"method\"]", ""),
                    policy("h-net", "[\"ip/24\"]", ""),
                    policy("i-pro", "[\"user_id\"]", "{\"tiers\": [\"pro\"]}"),
                    policy("j-west", "[\"user_id\"]", "{\"regions\": [\"us-west\"]}")),
            "us-east");

    @Test
    void a_client_of_whom_no_more_is_known_has_every_limit_whose_key_is_known() {
        assertThat(keys(Map.of("user_id", "42"), "", "", "free"))
                .containsExactly("a-user user_id=42", "b-narrow user_id=42");
    }

    @Test
    void an_endpoint_and_a_method_leave_only_the_limits_of_requests_like_that() {
        Map<String, String> user = Map.of("user_id", "42");

        assertThat(keys(user, "/x", "PUT", "free")).contains("b-narrow user_id=42");
        assertThat(keys(user, "/y", "", "free")).contains("a-user user_id=42").noneMatch(key -> key.startsWith("b-"));
        assertThat(keys(user, "/x", "GET", "free")).noneMatch(key -> key.startsWith("b-"));
        assertThat(keys(user, "", "GET", "free")).noneMatch(key -> key.startsWith("b-"));
    }

    @Test
    void what_more_is_known_adds_the_limits_that_need_it() {
        assertThat(keys(Map.of("user_id", "42", "tenant", "acme"), "/y", "get", "pro"))
                .containsExactly(
                        "a-user user_id=42",
                        "c-tenant tenant=acme,user_id=42",
                        "e-endpoint user_id=42,endpoint=/y",
                        "f-method method=GET,user_id=42",
                        "i-pro user_id=42");
    }

    @Test
    void a_limit_of_another_tenant_is_left_out_and_one_of_an_unknown_tenant_is_not() {
        PolicyIndex acme = PolicyIndex.compile(
                List.of(policy("acme", "[\"user_id\"]", "{\"attributes\": {\"tenant\": [\"acme\", \"apex\"]}}")),
                "us-east");

        assertThat(acme.ofClient(client(Map.of("user_id", "42")), false)).hasSize(1);
        assertThat(acme.ofClient(client(Map.of("user_id", "42", "tenant", "apex")), false))
                .hasSize(1);
        assertThat(acme.ofClient(client(Map.of("user_id", "42", "tenant", "other")), false))
                .isEmpty();
    }

    private static Check client(Map<String, String> attributes) {
        return new Check(attributes, "", "", Map.of(), "", 0);
    }

    @Test
    void an_address_has_the_limits_of_its_prefix() {
        assertThat(keys(Map.of("ip", "203.0.113.9"), "", "", "")).containsExactly("h-net ip=203.0.113.0/24");
    }

    @Test
    void what_counts_everybody_or_an_endpoint_is_nobody_s_own() {
        assertThat(keys(Map.of("color", "red"), "/x", "PUT", "")).isEmpty();
    }

    @Test
    void the_root_is_an_endpoint_and_none_is_not() {
        assertThat(keys(Map.of("user_id", "42"), "/", "", "")).contains("e-endpoint user_id=42,endpoint=/");
        assertThat(keys(Map.of("user_id", "42"), "", "", "")).noneMatch(key -> key.startsWith("e-endpoint"));
    }

    private static List<String> keys(Map<String, String> attributes, String endpoint, String method, String tier) {
        Check client = new Check(attributes, endpoint, method, Map.of(), tier, 0);
        return POLICIES.ofClient(client, !endpoint.isEmpty()).stream()
                .map(limit -> limit.policy().id() + " " + limit.key())
                .toList();
    }

    private static Policy policy(String id, String key, String appliesTo) {
        return PolicyJson.read("{\"id\": \"" + id + "\", \"key\": " + key
                + ", \"algorithm\": \"fixed_window\", \"limit\": 10, \"window\": \"1m\""
                + (appliesTo.isEmpty() ? "" : ", \"applies_to\": " + appliesTo) + "}");
    }
}
