package io.meridian.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.decide.ManualTime;
import io.meridian.limiter.operations.RegionLimiter.PolicyNames;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.model.match.Check;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.PolicyJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedPoliciesTest {
    private final ActiveRules rulebooks = new ActiveRules("us-east", new ManualTime(0));
    private final RuleSetBuilder rules = new RuleSetBuilder();
    private final PolicyNames named = new PolicyNames(rulebooks);

    @Test
    void a_policy_that_exists_may_be_named_whether_it_applies_here_or_not() {
        policy("plain", "");
        policy("off", ", \"enabled\": false");
        policy("elsewhere", ", \"applies_to\": {\"regions\": [\"eu-west\"]}");
        rulebooks.replace(rules.publish(), RuleOrigin.TOPIC, true);

        Check check = naming("elsewhere", "off", "plain");
        assertThat(named.known(check)).isSameAs(check);
        Check silent = naming();
        assertThat(named.known(silent)).isSameAs(silent);
    }

    @Test
    void every_name_that_no_policy_has_is_refused_at_once() {
        policy("plain", "");
        rulebooks.replace(rules.publish(), RuleOrigin.COPY, false);

        assertThatThrownBy(() -> named.known(naming("Plain", "plain", "plane")))
                .isInstanceOf(ValidationException.class)
                .hasMessage("policies[0] must be a policy that exists here, got Plain;"
                        + " policies[2] must be a policy that exists here, got plane");
    }

    @Test
    void while_built_in_policies_stand_in_they_limit_a_check_whatever_it_names() {
        policy("built-in", "");
        rulebooks.replace(rules.publish(), RuleOrigin.DEFAULTS, false);
        assertThat(named.known(naming("api-default")).policies()).isEmpty();
        assertThat(named.known(naming("built-in")).policies()).containsExactly("built-in");

        rulebooks.replace(rules.publish(), RuleOrigin.DEFAULTS, true);
        assertThatThrownBy(() -> named.known(naming("api-default"))).hasMessageContaining("got api-default");
    }

    private static Check naming(String... policies) {
        return new Check(Map.of("user_id", "42"), "/", "GET", Map.of(), "", 1, List.of(policies));
    }

    private void policy(String id, String more) {
        rules.put(new RuleEntry.OfPolicy(PolicyJson.read("{\"id\": \"" + id
                + "\", \"key\": [\"user_id\"], \"algorithm\": \"gcra\", \"limit\": 1, \"window\": \"1s\"" + more
                + "}")));
    }
}
