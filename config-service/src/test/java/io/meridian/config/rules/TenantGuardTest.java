package io.meridian.config.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.rules.TenantGuard.Ceiling;
import io.meridian.model.policy.EndpointPattern;
import io.meridian.model.policy.Policy;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which policies are above a tenant's, and what its limit may be under them. */
class TenantGuardTest {
    private static final String OWN = """
            "key": ["user_id"], "limit": 11, "window": "1m",
             "applies_to": {"attributes": {"tenant": ["acme"]}, "endpoints": ["/api/x", "/api/y/*"], "methods": ["GET"],
              "headers": {"a": "1", "b": "2"}}""";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"key\": []|true",
                "\"key\": [\"tenant\"]|true",
                "\"key\": [\"user_id\", \"tenant\"]|true",
                "\"key\": [\"api_key\"]|false",
                "\"key\": [\"ip\"]|false",
                "\"key\": [], \"enabled\": false|false",
                "\"key\": [], \"action\": \"log_only\"|false",
                "\"key\": [], \"action\": \"throttle\"|true",
                "\"key\": [], \"applies_to\": {\"endpoints\": [\"/api/*\"]}|true",
                "\"key\": [], \"applies_to\": {\"endpoints\": [\"/api/x\"]}|false",
                "\"key\": [], \"applies_to\": {\"endpoints\": [\"/api/x\", \"/*/y/*\"]}|true",
                "\"key\": [], \"applies_to\": {\"methods\": [\"GET\", \"PUT\"]}|true",
                "\"key\": [], \"applies_to\": {\"methods\": [\"PUT\"]}|false",
                "\"key\": [], \"applies_to\": {\"tiers\": [\"free\"]}|false",
                "\"key\": [], \"applies_to\": {\"regions\": [\"eu\"]}|false",
                "\"key\": [], \"applies_to\": {\"headers\": {\"a\": \"1\"}}|true",
                "\"key\": [], \"applies_to\": {\"headers\": {\"a\": \"2\"}}|false",
                "\"key\": [], \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\", \"b\"]}}|true",
                "\"key\": [], \"applies_to\": {\"attributes\": {\"tenant\": [\"b\"]}}|false",
                "\"key\": [], \"applies_to\": {\"attributes\": {\"plan\": [\"b\"]}}|false",
                "\"key\": [], \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}|false",
                "\"key\": [], \"protected\": true, \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}|true"
            })
    void a_policy_is_above_if_it_applies_to_all_the_same_requests_and_counts_as_coarsely(
            String above, boolean isAbove) {
        assertThat(violations(OWN, above + ", \"limit\": 10, \"window\": \"1m\""))
                .hasSize(isAbove ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 1m, 0, 10, 1m, 0, true",
        "11, 1m, 0, 10, 1m, 0, false",
        "600, 1h, 0, 10, 1m, 0, true",
        "601, 1h, 0, 10, 1m, 0, false",
        "1, 1s, 0, 60, 1m, 0, true",
        "2, 1s, 0, 60, 1m, 0, false",
        "10, 1m, 5, 10, 1m, 5, true",
        "10, 1m, 6, 10, 1m, 5, false",
        "10, 1m, 1000, 1000, 1h, 10, true",
        "10, 1m, 1001, 1000, 1h, 10, false",
        "1000, 1h, 1000, 100, 1m, 0, true",
        "1000000000000, 31d, 0, 1000000000000, 31d, 0, true"
    })
    void the_rate_and_the_capacity_are_within_those_above(
            long limit, String window, long burst, long aboveLimit, String aboveWindow, long aboveBurst, boolean fits) {
        String numbers =
                "\"algorithm\": \"token_bucket\", \"key\": [], \"limit\": %d, \"window\": \"%s\", \"burst\": %d";
        String tenant = ", \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}";

        assertThat(violations(
                        numbers.formatted(limit, window, burst) + tenant,
                        numbers.formatted(aboveLimit, aboveWindow, aboveBurst)))
                .hasSize(fits ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({
        "10, month, 10, month, true",
        "11, month, 10, month, false",
        "28, month, 1, 1d, true",
        "29, month, 1, 1d, false",
        "1, 1d, 31, month, true",
        "1, 1d, 30, month, false"
    })
    void a_month_is_short_below_and_long_above(
            long limit, String window, long aboveLimit, String aboveWindow, boolean fits) {
        String numbers = "\"key\": [], \"limit\": %d, \"window\": \"%s\"";
        String tenant = ", \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}";

        assertThat(violations(numbers.formatted(limit, window) + tenant, numbers.formatted(aboveLimit, aboveWindow)))
                .hasSize(fits ? 0 : 1);
    }

    @Test
    void an_address_counts_as_coarsely_as_a_shorter_prefix() {
        String own =
                "\"limit\": 11, \"window\": \"1m\", \"applies_to\": {\"attributes\": {\"tenant\": [\"acme\"]}}, \"key\": ";

        assertThat(violations(own + "[\"ip\"]", "\"limit\": 10, \"window\": \"1m\", \"key\": [\"ip/24\"]"))
                .hasSize(1);
        assertThat(violations(own + "[\"ip/24\"]", "\"limit\": 10, \"window\": \"1m\", \"key\": [\"ip\"]"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "*, /a, true",
        "/a, *, false",
        "/a/*, *, false",
        "/a/*, /a/b, true",
        "/a/*, /a, false",
        "/a/*, /a/b/c, true",
        "/a/*, /a/*, true",
        "/a/*, /a/*/c, true",
        "/a/*, /*/b, false",
        "/*/b, /a/b, true",
        "/*/b, /a/*, false",
        "/a/b, /a/*, false",
        "/a/*/c, /a/b/c, true",
        "/a/*/*, /a/*, false",
        "/a/*, /a/*/*, true",
        "/, /, true",
        "/*, /, false"
    })
    void a_pattern_covers_another_if_it_matches_all_that_the_other_does(String one, String other, boolean covers) {
        assertThat(new EndpointPattern(one).covers(new EndpointPattern(other))).isEqualTo(covers);
    }

    private static List<?> violations(String own, String above) {
        return new Ceiling(policy("own", own), "acme").violations(List.of(policy("above", above)));
    }

    private static Policy policy(String id, String fields) {
        String algorithm = fields.contains("algorithm") ? "" : "\"algorithm\": \"fixed_window\", ";
        return PolicyJson.read("{\"id\": \"" + id + "\", " + algorithm + fields + "}");
    }
}
