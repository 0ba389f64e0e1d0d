package io.meridian.config.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.policy.Policy;
import io.meridian.model.validation.FieldError;
import io.meridian.model.wire.PolicyJson;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found of the names in a policy, without a database. */
class NameCheckTest {
    private static final Set<String> ATTRIBUTES = Set.of("api_key", "user_id", "tenant", "ip");

    @Test
    void where_no_region_has_been_heard_of_none_is_refused_and_that_is_said() {
        NameCheck.Findings found = look(policy("", "\"regions\": [\"mars\"]"), Set.of(), false);

        assertThat(found.refused()).isEmpty();
        assertThat(found.warnings())
                .containsExactly("policy p: applies_to.regions cannot be checked: no region has been heard of yet");
    }

    @Test
    void all_unknown_names_are_refused_at_once() {
        NameCheck.Findings found = look(
                policy("", "\"regions\": [\"eu\", \"mars\", \"venus\"], \"tiers\": [\"free\", \"golden\"]"),
                Set.of("eu"),
                false);

        assertThat(found.refused()).extracting(FieldError::value).containsExactly("golden", "mars", "venus");
        assertThat(found.refused()).extracting(FieldError::field).startsWith("changes[0].applies_to.tiers");
    }

    @Test
    void a_policy_that_names_something_else_too_can_still_match() {
        assertThat(look(policy("", "\"tiers\": [\"free\", \"golden\"]"), Set.of(), true)
                        .warnings())
                .containsExactly("policy p: applies_to.tiers names golden, and there is no such tier");
        assertThat(look(policy("", "\"tiers\": [\"golden\"]"), Set.of(), true).warnings())
                .containsExactly(
                        "policy p: applies_to.tiers names golden, and there is no such tier: the policy matches no"
                                + " check until there is");
    }

    @Test
    void a_method_that_is_none_is_warned_of() {
        assertThat(look(policy("", "\"methods\": [\"get\", \"GETT\"]"), Set.of(), false)
                        .warnings())
                .containsExactly("policy p: applies_to.methods names GETT, which is no usual HTTP method");
    }

    @ParameterizedTest
    @CsvSource({
        "userid, user_id",
        "user_ids, user_id",
        "apikey, api_key",
        "tennant, tenant",
        "color, ",
        "organization, ",
    })
    void an_attribute_that_is_likely_a_slip_is_told_with_what_is_meant(String attribute, String meant) {
        NameCheck.Findings found = look(policy("\"" + attribute + "\"", ""), Set.of(), false);

        assertThat(found.warnings()).singleElement().asString().contains("the attribute " + attribute);
        assertThat(found.warnings().get(0).contains("is " + meant + " meant?")).isEqualTo(meant != null);
        assertThat(found.warnings().get(0).contains("meant?")).isEqualTo(meant != null);
    }

    @Test
    void what_everybody_sends_and_what_a_request_has_is_not_warned_of() {
        assertThat(look(policy("\"user_id\", \"ip/24\", \"endpoint\", \"method\"", ""), Set.of(), false)
                        .warnings())
                .isEmpty();
    }

    private static NameCheck.Findings look(Policy policy, Set<String> regions, boolean allowUnknown) {
        NameCheck.Findings findings = new NameCheck.Findings(
                new KnownNames(regions, ATTRIBUTES, allowUnknown),
                Set.of("free"),
                new ArrayList<>(),
                new ArrayList<>());
        findings.look(policy, "changes[0].");
        return findings;
    }

    private static Policy policy(String key, String appliesTo) {
        return PolicyJson.read("{\"id\": \"p\", \"key\": [" + key
                + "], \"algorithm\": \"fixed_window\", \"limit\": 1, \"window\": \"1m\", \"applies_to\": {" + appliesTo
                + "}}");
    }
}
