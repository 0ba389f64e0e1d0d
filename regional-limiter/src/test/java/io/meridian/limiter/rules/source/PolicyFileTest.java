package io.meridian.limiter.rules.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.file.FollowedFile.RefusedFileException;
import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RuleSet;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.limiter.rules.source.PolicyFile.Yaml;
import io.meridian.limiter.rules.source.PolicySources.BuiltInPolicies;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rules.Tier;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {
    private static final String WHOLE = """
            policies:
              - id: per-user
                key: [user_id]
                algorithm: token_bucket
                limit: 100
                window: 1m
                adaptive: true
              - {id: pro-only, key: [user_id], algorithm: fixed_window, limit: 9, window: 1h, applies_to: {tiers: [pro]}}
            tiers:
              - name: free
                description: For all
              - name: pro
            default_tier: free
            client_tiers:
              - {identifier_type: user_id, identifier: "7", tier: pro}
            overrides:
              - {policy: per-user, identifier_type: user_id, identifier: "8", limit: 500, burst: 50,
                 expires_at: 2099-01-01T00:00:00Z}
            allow_list:
              - {identifier_type: ip, identifier: 10.0.0.0/8, reason: "ours"}
            deny_list:
              - {identifier_type: api_key, identifier: stolen, expires_at: "2099-01-01T00:00:00Z"}
            adaptive:
              - {load_percent: 50, limit_percent: 200}
              - {load_percent: 100, limit_percent: 10}
            """;

    @Test
    void a_file_says_everything_there_is_to_say() throws Exception {
        RuleSet rules = PolicyFile.read(bytes(WHOLE));
        ActiveRules live = new ActiveRules("us-east", new SetTime());
        live.replace(rules, RuleOrigin.FILE, true);

        assertThat(Asked.limits(live, "1")).containsExactly("per-user:100");
        assertThat(Asked.limits(live, "7")).containsExactly("per-user:100", "pro-only:9");
        assertThat(Asked.limits(live, "8")).containsExactly("per-user:500");
        assertThat(Asked.listing(live, "ip", "10.9.9.9")).isEqualTo(new Listing.Exempt());
        assertThat(Asked.listing(live, "api_key", "stolen")).isEqualTo(new Listing.Barred("api_key", "stolen"));
        assertThat(rules.tiers().get("free")).isEqualTo(new Tier("free", "For all", true));
        assertThat(rules.adaptive().limitPercent(50)).isEqualTo(200);
        assertThat(live.status().policies()).isEqualTo(2);
        assertThat(live.status().clientEntries()).isEqualTo(4);
    }

    @Test
    void a_section_may_be_left_out_or_empty_and_the_default_tier_needs_no_entry() throws Exception {
        RuleSet rules = PolicyFile.read(bytes("default_tier: free\npolicies:\ntiers: []\n"));

        assertThat(rules.policies()).isEmpty();
        assertThat(rules.adaptive()).isEqualTo(AdaptiveTable.DEFAULT);
        assertThat(rules.tiers().get("free")).isEqualTo(new Tier("free", "", true));
    }

    @Test
    void all_that_is_wrong_is_named_with_its_line_and_place() {
        assertThatThrownBy(() -> PolicyFile.read(bytes("""
                        policies:
                          - {id: p, key: [user_id], algorithm: fixed_window, limit: 0, window: 1m}
                          - {id: q, key: [user_id], algorithm: fixed_window, limit: 1, window: 1m, colour: red}
                          - {id: r, key: [user_id], algorithm: fixed_window, limit: 5, window: 1m}
                          - {id: r, key: [user_id], algorithm: fixed_window, limit: 6, window: 1m}
                        tiers:
                          - {name: a, default: true}
                          - {name: b, default: true}
                        overrides:
                          - {policy: r, identifier_type: user_id, identifier: "1", limit: 5, burst: 5}
                          - {policy: none, identifier_type: user_id, identifier: "1", limit: 5}
                        deny_list:
                          - {identifier_type: ip, identifier: 10.0.0.0/99}
                          - {identifier_type: user_id, identifier: 42}
                        allow_list: all
                        planets: [earth]
                        adaptive:
                          - {load_percent: 50, limit_percent: 150}
                        """)))
                .isInstanceOf(RefusedFileException.class)
                .hasMessageContainingAll(
                        "line 2: policies[0]: limit must be from 1 to 1000000000000 with fixed_window, got 0",
                        "line 3: policies[1]: a policy has no field colour",
                        "line 5: policies[3]: is the second entry for policy/r",
                        "line 8: tiers[1]: must leave a the only default tier, got b",
                        "line 10: overrides[0]: burst must be 0 with fixed_window",
                        "line 11: overrides[1]: policy must be the id of a policy of this file, got none",
                        "line 13: deny_list[0]: identifier must have a prefix from 1 to 32, got 10.0.0.0/99",
                        "line 14: deny_list[1]: identifier must be a text, got 42",
                        "line 15: allow_list: must be a list",
                        "line 16: planets: is no section; there are policies, tiers",
                        "adaptive: steps must end with a step for a load of 100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | must be a mapping",
                "'- a' | must be a mapping",
                "'policies: [' | must be YAML",
                "'policies: []\npolicies: []' | must be YAML: Duplicate",
                "'a: &x [1]\ntiers: *x' | an alias: write out what it stands for",
                "'tiers: [{name: *nowhere}]' | an alias: write out what it stands for",
                "'policies: []\n---\npolicies: []' | must be one document",
                "'policies: [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]' | must be YAML",
                "'tiers: [{name: a, name: b}]' | must be YAML: Duplicate",
                "'default_tier: [a]' | default_tier: must be the name of a tier",
                "'default_tier: a b' | default_tier: name must be 1 to 64",
            })
    void what_is_not_such_a_file_is_refused(String yaml, String reason) {
        assertThatThrownBy(() -> PolicyFile.read(bytes(yaml == null ? "" : yaml)))
                .isInstanceOf(RefusedFileException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void the_message_about_a_file_that_is_wrong_throughout_is_bounded() {
        assertThatThrownBy(() -> PolicyFile.read(bytes("tiers:\n" + "  - {name: ''}\n".repeat(1_000))))
                .hasMessageContaining("line 51: tiers[49]")
                .hasMessageEndingWith("; and 950 more");
    }

    @Test
    void a_file_beyond_the_bound_is_refused_before_it_is_read() {
        assertThatThrownBy(() -> PolicyFile.read(new byte[Yaml.BYTES_MAX + 1]))
                .hasMessage("must have at most 67108864 bytes, got 67108865");
    }

    @Test
    void what_is_built_in_applies_to_keys_users_and_addresses() {
        assertThat(BuiltInPolicies.read().policies().keySet())
                .containsExactlyInAnyOrder("built-in-api-key", "built-in-user", "built-in-ip");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
