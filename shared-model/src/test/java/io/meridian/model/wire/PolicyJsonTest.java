package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MINIMAL = """
            {"id": "p", "key": ["api_key"], "algorithm": "fixed_window", "limit": 10, "window": "1m"}""";
    private static final String WHOLE = """
            {"id":"api-default","name":"Default","description":"d",\
            "applies_to":{"endpoints":["/api/*"],"methods":["GET"],"tiers":["free"],"headers":{"x-plan":"beta"},"attributes":{"tenant":["acme","b"]},"regions":["us-east"]},\
            "key":["api_key","ip/24/56"],"algorithm":"token_bucket","limit":1000,"window":"1h","burst":50,"cost":2,\
            "endpoint_costs":[{"endpoint":"/api/export","method":"POST","cost":100}],\
            "scope":"global","mode":"converge","on_exhausted":"deny","floor_percent":30,"after_heal":"cap","action":"throttle",\
            "soft_limit_percent":80,"on_failure":"closed","adaptive":false,"priority":10,"enabled":false,"protected":true,\
            "version":3,"created_at":"2026-01-15T11:00:00Z","updated_at":"2026-02-15T11:00:00Z"}""";

    @Test
    void a_policy_reads_and_writes_to_the_letter() {
        assertThat(PolicyJson.write(PolicyJson.read(WHOLE))).isEqualTo(WHOLE);
    }

    @Test
    void what_is_not_given_has_the_documented_default() {
        Policy policy = PolicyJson.read(MINIMAL);

        assertThat(PolicyJson.write(policy)).isEqualTo("""
                        {"id":"p","name":"","description":"",\
                        "applies_to":{"endpoints":[],"methods":[],"tiers":[],"headers":{},"attributes":{},"regions":[]},\
                        "key":["api_key"],"algorithm":"fixed_window","limit":10,"window":"1m","burst":0,"cost":1,\
                        "endpoint_costs":[],"scope":"regional","mode":"converge","on_exhausted":"deny","floor_percent":50,\
                        "after_heal":"forgive",\
                        "action":"reject","soft_limit_percent":0,"on_failure":"local","adaptive":false,"priority":0,"enabled":true,"protected":false,\
                        "version":0}""");
        assertThat(PolicyJson.read(PolicyJson.write(policy))).isEqualTo(policy);
    }

    @Test
    void a_selector_by_attributes_names_what_is_wrong_with_it() {
        assertThat(
                        violationsOf(
                                MINIMAL.replace(
                                        "\"key\"",
                                        "\"applies_to\": {\"attributes\": {\"ip\": [\"::1\"], \"tenant\": [], \"Bad\": [\"x\"], \"plan\": \"x\", \"user_id\": [\"\"]}}, \"key\"")))
                .extracting(error -> error.field() + " " + error.value())
                .containsExactlyInAnyOrder(
                        "applies_to.attributes.plan x",
                        "applies_to.attributes ip",
                        "applies_to.attributes Bad",
                        "applies_to.attributes.tenant []",
                        "applies_to.attributes.plan []",
                        "applies_to.attributes.user_id ");
    }

    @Test
    void every_violated_field_is_named_at_once_with_its_value() {
        String broken = """
                {"id": "bad id!", "key": ["Bad Key", "api_key"], "algorithm": "magic", "limit": 0, "window": "5x", "burst": -1,
                 "cost": 0, "scope": "local", "on_exhausted": "overdraft:200", "floor_percent": 51, "after_heal": 7, "action": "explode",
                 "soft_limit_percent": 101, "priority": 99999999, "enabled": "yes", "on_failure": "maybe",
                 "created_at": "yesterday", "endpoint_costs": [{"endpoint": "export", "cost": 0}],
                 "applies_to": {"endpoints": ["api/*", "/a*b"], "methods": ["GET IT"], "headers": {"x plan": "b"}}}""";

        List<FieldError> violations = violationsOf(broken);

        assertThat(violations)
                .extracting(FieldError::field)
                .contains(
                        "id",
                        "key",
                        "algorithm",
                        "limit",
                        "window",
                        "burst",
                        "cost",
                        "scope",
                        "on_exhausted",
                        "floor_percent",
                        "after_heal",
                        "action",
                        "soft_limit_percent",
                        "priority",
                        "enabled",
                        "on_failure",
                        "created_at",
                        "endpoint_costs.endpoint",
                        "endpoint_costs.cost",
                        "applies_to.endpoints",
                        "applies_to.methods",
                        "applies_to.headers");
        assertThat(violations)
                .extracting(FieldError::toString)
                .contains(
                        "limit must be from 1 to 1000000000000 with fixed_window, got 0",
                        "algorithm must be one of fixed_window, sliding_window_log, sliding_window_counter,"
                                + " sliding_window_estimate, token_bucket, leaky_bucket, gcra, got magic",
                        "window must be a number and s, m, h or d (90s, 5m, 1h, 1d), or month, got 5x",
                        "applies_to.endpoints must use * for whole segments only, got /a*b");
    }

    @Test
    void one_broken_part_hides_no_other_and_invents_none() {
        assertThat(violationsOf(mergedWith("\"scope\": \"global\", \"on_exhausted\": \"local\", \"adaptive\": true")))
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("on_exhausted", "adaptive");
        assertThat(violationsOf(mergedWith("\"scope\": \"global\", \"soft_limit_percent\": 101, \"adaptive\": true")))
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("soft_limit_percent", "adaptive");
        assertThat(violationsOf(mergedWith("\"algorithm\": \"tokenbucket\", \"burst\": 5")))
                .extracting(FieldError::field)
                .containsExactly("algorithm");
        assertThat(violationsOf(mergedWith("\"scope\": \"globl\", \"mode\": \"escrow\"")))
                .extracting(FieldError::field)
                .containsExactly("scope");
    }

    @Test
    void text_that_a_store_would_change_is_refused() {
        assertThat(violationsOf(mergedWith("\"name\": \"a\\u0000b\", \"description\": \"\\ud800\"")))
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("name", "description");
        assertThat(violationsOf(mergedWith("\"applies_to\": {\"headers\": {\"x-plan\": null}}")))
                .extracting(FieldError::toString)
                .containsExactly("applies_to.headers.x-plan must be a text, got null");
        assertThat(violationsOf(mergedWith("\"applies_to\": {\"headers\": {\"X-Plan\": \"a\", \"x-plan\": \"b\"}}")))
                .extracting(FieldError::rule)
                .containsExactly("must not name a header twice");
        assertThat(violationsOf(mergedWith(
                        "\"endpoint_costs\": [{\"endpoint\": \"/x\", \"method\": \"PSOT it\", \"cost\": 1}]")))
                .extracting(FieldError::field)
                .containsExactly("endpoint_costs.method");
    }

    @Test
    void every_required_field_that_is_missing_is_named() {
        assertThat(violationsOf("{}"))
                .extracting(FieldError::toString)
                .containsExactlyInAnyOrder(
                        "id is required, got nothing",
                        "key is required, got nothing",
                        "algorithm is required, got nothing",
                        "limit is required, got nothing",
                        "window is required, got nothing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    mode         | 'escrow'                                                    | must be converge with scope regional
                    mode         | 'escrow', "scope": "global", "algorithm": "token_bucket"     | must be converge with token_bucket
                    mode         | 'escrow', "scope": "global", "algorithm": "sliding_window_log" | must be converge with sliding_window_log
                    on_exhausted | 'local'                                                     | must be deny with mode converge
                    on_exhausted | 'overdraft:10', "scope": "global"                           | must be deny with mode converge
                    on_exhausted | 'overdraft:0', "scope": "global", "mode": "escrow"          | must overdraw 1 to 100 percent
                    floor_percent | -1                                                         | must be from 0 to 50
                    after_heal   | 'carry'                                                     | must be forgive with scope regional
                    after_heal   | 'carry', "scope": "global", "algorithm": "gcra"             | must be forgive or cap with gcra
                    adaptive     | true, "scope": "global"                                     | must be false with scope global
                    burst        | 5                                                           | must be 0 with fixed_window
                    burst        | 5, "algorithm": "sliding_window_counter"                    | must be 0 with sliding_window_counter
                    window       | 'month', "algorithm": "token_bucket"                        | must have one length with token_bucket
                    window       | 'month', "algorithm": "sliding_window_counter"              | must have one length
                    window       | '0s'                                                        | must be from 1s to 31d
                    window       | '32d'                                                       | must be from 1s to 31d
                    window       | '500ms'                                                     | must be a number and s, m, h or d
                    limit        | 100001, "algorithm": "sliding_window_log"                   | must be from 1 to 100000 with sliding_window_log
                    limit        | 1000000000001                                               | must be from 1 to 1000000000000
                    limit        | 1.5                                                         | must be a whole number
                    limit        | 99999999999999999999                                        | must be a whole number
                    key          | ['user_id', 'user_id']                                      | must not name an attribute twice
                    key          | ['ip', 'ip/24']                                             | must not name an attribute twice
                    key          | ['ip/33']                                                   | must have an IPv4 prefix from 1 to 32
                    key          | ['ip/24/129']                                               | must have an IPv6 prefix from 1 to 128
                    key          | 'user_id'                                                   | must be a list
                    cost         | 11                                                          | must be at most limit and burst together
                    key          | [7]                                                         | must be a text
                    """)
    void a_combination_that_cannot_work_is_refused_with_the_reason(String field, String value, String reason)
            throws JsonProcessingException {
        ObjectNode policy = (ObjectNode) MAPPER.readTree(MINIMAL);
        policy.setAll((ObjectNode) MAPPER.readTree("{\"" + field + "\": " + value.replace('\'', '"') + "}"));

        assertThat(violationsOf(policy.toString())).anySatisfy(violation -> {
            assertThat(violation.field()).isEqualTo(field);
            assertThat(violation.rule()).contains(reason);
        });
    }

    @Test
    void combinations_that_work_are_accepted() {
        for (String extra : List.of(
                "\"scope\": \"global\", \"mode\": \"escrow\", \"on_exhausted\": \"overdraft:10\", \"after_heal\": \"carry\"",
                "\"scope\": \"global\", \"mode\": \"escrow\", \"window\": \"month\"",
                "\"scope\": \"global\", \"mode\": \"escrow\", \"floor_percent\": 0",
                "\"window\": \"month\"",
                "\"scope\": \"global\", \"algorithm\": \"token_bucket\", \"burst\": 5",
                "\"scope\": \"global\", \"algorithm\": \"sliding_window_counter\", \"after_heal\": \"cap\"",
                "\"adaptive\": true, \"algorithm\": \"leaky_bucket\"",
                "\"key\": []")) {
            assertThat(PolicyJson.read(mergedWith(extra)).id()).isEqualTo("p");
        }
    }

    @Test
    void fields_that_do_not_exist_are_named_from_the_top() {
        MalformedException malformed = catchThrowableOfType(
                MalformedException.class,
                () -> PolicyJson.read(mergedWith(
                        "\"limits\": 5, \"applies_to\": {\"endpoint\": []}, \"endpoint_costs\": [{\"price\": 1}]")));

        assertThat(malformed.unknownFields())
                .containsExactlyInAnyOrder("limits", "applies_to.endpoint", "endpoint_costs.price");
        assertThat(malformed).hasMessageContaining("a policy has no field");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "null",
                "\"p\"",
                "{",
                "{\"id\": \"a\", \"id\": \"b\"}",
                "{} {}",
                "{\"key\": [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}"
            })
    void what_is_not_a_json_object_is_malformed(String text) {
        assertThatThrownBy(() -> PolicyJson.read(text)).isInstanceOf(MalformedException.class);
    }

    @Test
    void a_long_value_is_cut_in_the_message_and_nothing_is_lost() {
        FieldError violation = violationsOf(mergedWith("\"id\": \"" + "x".repeat(100_000) + "\""))
                .get(0);

        assertThat(violation.toString()).hasSizeLessThan(300);
    }

    private static String mergedWith(String extra) {
        try {
            ObjectNode policy = (ObjectNode) MAPPER.readTree(MINIMAL);
            policy.setAll((ObjectNode) MAPPER.readTree("{" + extra + "}"));
            return policy.toString();
        } catch (JsonProcessingException broken) {
            throw new AssertionError(broken);
        }
    }

    private static List<FieldError> violationsOf(String json) {
        ValidationException invalid = catchThrowableOfType(ValidationException.class, () -> PolicyJson.read(json));
        assertThat(invalid).as("violations of " + json).isNotNull();
        return invalid.errors();
    }
}
