package io.meridian.limiter.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.wire.PolicyJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompiledRulesTest {
    private static final long NOW = 1_000_000;
    private static final Expiry LATER = new Expiry(NOW + 1);
    private static final Expiry NOW_ENDED = new Expiry(NOW);

    private final RuleSetBuilder rules = new RuleSetBuilder();

    @Test
    void the_deny_list_goes_before_the_allow_list_and_names_what_it_found() {
        list(ListKind.ALLOW, "user_id", "1", Expiry.NEVER);
        list(ListKind.DENY, "ip", "203.0.113.0/24", Expiry.NEVER);
        RegionRules book = book();

        assertThat(book.listing(check("user_id", "1", "ip", "203.0.113.7"), NOW))
                .isEqualTo(new Listing.Barred("ip", "203.0.113.0/24"));
        assertThat(book.listing(check("user_id", "1", "ip", "203.0.114.7"), NOW))
                .isEqualTo(new Listing.Exempt());
        assertThat(book.listing(check("user_id", "2"), NOW)).isEqualTo(new Listing.Unlisted());
        assertThat(book.listing(check(), NOW)).isEqualTo(new Listing.Unlisted());
    }

    @Test
    void a_line_ends_at_its_time_with_no_message() {
        list(ListKind.DENY, "user_id", "1", LATER);
        list(ListKind.ALLOW, "ip", "10.0.0.0/8", LATER);
        RegionRules book = book();

        assertThat(book.listing(check("user_id", "1"), NOW)).isInstanceOf(Listing.Barred.class);
        assertThat(book.listing(check("user_id", "1"), NOW + 1)).isInstanceOf(Listing.Unlisted.class);
        assertThat(book.listing(check("ip", "10.1.1.1"), NOW)).isInstanceOf(Listing.Exempt.class);
        assertThat(book.listing(check("ip", "10.1.1.1"), NOW + 1)).isInstanceOf(Listing.Unlisted.class);
    }

    @Test
    void a_client_has_the_first_tier_that_is_found_else_the_default_one() {
        policy("free-only", "\"applies_to\":{\"tiers\":[\"free\"]}");
        policy("pro-only", "\"applies_to\":{\"tiers\":[\"pro\"]}");
        policy("gold-only", "\"applies_to\":{\"tiers\":[\"gold\"]}");
        policy("all", "\"priority\":-1");
        tier("user_id", "1", "pro");
        tier("api_key", "k", "gold");
        tier("ip", "10.0.0.0/8", "pro");
        tier("ip", "10.1.0.0/16", "gold");

        assertThat(ids(check("user_id", "1"))).containsExactly("pro-only", "all");
        assertThat(ids(check("user_id", "1", "api_key", "k"))).containsExactly("gold-only", "all");
        assertThat(ids(check("ip", "10.2.0.1"))).containsExactly("pro-only", "all");
        assertThat(ids(check("ip", "10.1.0.1"))).containsExactly("gold-only", "all");
        assertThat(ids(check("user_id", "2"))).containsExactly("all");
        assertThat(book().tier(check("user_id", "1"), NOW)).contains("pro");
        assertThat(book().tier(check("user_id", "2"), NOW)).isEmpty();

        rules.put(new RuleEntry.OfTier(new Tier("free", "", true)));
        assertThat(ids(check("user_id", "2"))).containsExactly("free-only", "all");
        assertThat(book().tier(check("user_id", "2"), NOW)).contains("free");
        rules.apply(new RuleEntry.Change.Removed(new RuleEntry.Key.OfClientTier(new Identifier("user_id", "1"))));
        assertThat(ids(check("user_id", "1"))).containsExactly("free-only", "all");
    }

    @Test
    void a_client_is_offered_the_upgrade_of_its_own_tier() {
        tier("user_id", "1", "pro");
        tier("user_id", "2", "gold");
        assertThat(book().upgradeUrl(check("user_id", "1"), NOW)).isEmpty();

        rules.put(new RuleEntry.OfTier(new Tier("free", "", true, Optional.of("https://acme.test/pro"))));
        rules.put(new RuleEntry.OfTier(new Tier("pro", "", false, Optional.of("https://acme.test/gold"))));
        rules.put(new RuleEntry.OfTier(new Tier("gold", "", false)));

        assertThat(book().upgradeUrl(check("user_id", "1"), NOW)).contains("https://acme.test/gold");
        assertThat(book().upgradeUrl(check("user_id", "2"), NOW)).isEmpty();
        assertThat(book().upgradeUrl(check("user_id", "3"), NOW)).contains("https://acme.test/pro");
    }

    @Test
    void only_policies_that_name_it_apply_to_the_unlimited_tier() {
        policy("all", "\"priority\":2");
        policy("named", "\"applies_to\":{\"tiers\":[\"unlimited\",\"pro\"]}");
        tier("user_id", "1", "unlimited");

        assertThat(ids(check("user_id", "1"))).containsExactly("named");
        assertThat(ids(check("user_id", "2"))).containsExactly("all");
    }

    @Test
    void an_override_replaces_limit_and_burst_of_its_policy_for_its_client() {
        policy("p", "\"algorithm\":\"token_bucket\"");
        policy("q", "\"priority\":-1");
        override("p", "user_id", "1", 7, 3, Expiry.NEVER);
        override("p", "api_key", "k", 8, 0, LATER);

        assertThat(terms(check("user_id", "1"), Optional.empty(), NOW)).containsExactly("7+3", "100+0");
        assertThat(terms(check("user_id", "1", "api_key", "k"), Optional.empty(), NOW))
                .containsExactly("8+0", "100+0");
        assertThat(terms(check("user_id", "1", "api_key", "k"), Optional.empty(), NOW + 1))
                .as("what has ended gives way to what has not")
                .containsExactly("7+3", "100+0");
        assertThat(terms(check("user_id", "2"), Optional.empty(), NOW)).containsExactly("100+0", "100+0");
    }

    @Test
    void an_override_that_has_ended_is_none() {
        policy("p", "");
        override("p", "user_id", "1", 7, 0, NOW_ENDED);

        assertThat(terms(check("user_id", "1"), Optional.empty(), NOW)).containsExactly("100+0");
        assertThat(terms(check("user_id", "1"), Optional.empty(), NOW - 1)).containsExactly("7+0");
    }

    @Test
    void an_override_its_policy_cannot_take_is_counted_and_does_not_exist_for_a_check() {
        policy("window", "\"priority\":3");
        policy("log", "\"algorithm\":\"sliding_window_log\",\"priority\":2");
        policy("dear", "\"cost\":50,\"priority\":1");
        override("window", "api_key", "k", 5, 5, Expiry.NEVER);
        override("window", "user_id", "1", 6, 0, Expiry.NEVER);
        override("log", "user_id", "1", 100_001, 0, Expiry.NEVER);
        override("dear", "user_id", "1", 49, 0, Expiry.NEVER);
        override("absent", "user_id", "1", 1, 1, Expiry.NEVER);

        assertThat(terms(check("user_id", "1", "api_key", "k"), Optional.empty(), NOW))
                .containsExactly("6+0", "100+0", "100+0");
        assertThat(book().unfitOverrides()).isEqualTo(Map.of("window", 1L, "log", 1L, "dear", 1L));
        policy("window", "\"algorithm\":\"gcra\",\"priority\":3");
        assertThat(book().unfitOverrides()).isEqualTo(Map.of("log", 1L, "dear", 1L));
        assertThat(terms(check("user_id", "1", "api_key", "k"), Optional.empty(), NOW))
                .containsExactly("5+5", "100+0", "100+0");
    }

    @Test
    void adaptive_limits_and_their_overrides_follow_the_load() {
        policy("p", "\"algorithm\":\"token_bucket\",\"burst\":10,\"adaptive\":true,\"priority\":1");
        policy("fixed", "");
        override("p", "user_id", "1", 1_000, 100, Expiry.NEVER);
        Check other = check("user_id", "2");

        assertThat(terms(other, Optional.empty(), NOW)).containsExactly("100+10", "100+0");
        assertThat(terms(other, Optional.of(0), NOW)).containsExactly("150+15", "100+0");
        assertThat(terms(other, Optional.of(50), NOW)).containsExactly("150+15", "100+0");
        assertThat(terms(other, Optional.of(51), NOW)).containsExactly("100+10", "100+0");
        assertThat(terms(other, Optional.of(95), NOW)).containsExactly("70+7", "100+0");
        assertThat(terms(other, Optional.of(100), NOW)).containsExactly("50+5", "100+0");
        assertThat(terms(check("user_id", "1"), Optional.of(100), NOW)).containsExactly("500+50", "100+0");

        rules.put(new RuleEntry.OfAdaptive(new AdaptiveTable(List.of(new AdaptiveTable.Step(100, 10)))));
        assertThat(terms(other, Optional.of(1), NOW)).containsExactly("10+1", "100+0");
        rules.apply(new RuleEntry.Change.Removed(new RuleEntry.Key.OfAdaptive()));
        assertThat(terms(other, Optional.of(100), NOW)).containsExactly("50+5", "100+0");
    }

    @Test
    void terms_that_were_made_are_used_again() {
        policy("p", "");
        override("p", "user_id", "1", 7, 0, Expiry.NEVER);
        RegionRules book = book();
        Check check = check("user_id", "1");

        Limit once = book.limits(check, Optional.empty(), NOW).get(0);
        Limit again = book.limits(check, Optional.empty(), NOW).get(0);

        assertThat(once.quota()).isSameAs(again.quota());
        assertThat(once.key()).isEqualTo("user_id=1");
    }

    @Test
    void more_distinct_overrides_than_are_kept_are_still_right() {
        policy("p", "");
        for (int i = 1; i <= 3_000; i++) {
            override("p", "user_id", "" + i, i, 0, Expiry.NEVER);
        }
        RegionRules book = book();

        for (int i = 1; i <= 3_000; i++) {
            assertThat(book.limits(check("user_id", "" + i), Optional.empty(), NOW)
                            .get(0)
                            .quota()
                            .limit())
                    .isEqualTo(i);
        }
    }

    @Test
    void what_did_not_change_is_not_compiled_again() {
        policy("p", "\"adaptive\":true");
        CompiledRules before = book();
        list(ListKind.DENY, "user_id", "1", Expiry.NEVER);
        CompiledRules after = CompiledRules.compile(rules.publish(), "us-east", before);

        assertThat(after.rules().policies()).isSameAs(before.rules().policies());
        assertThat(after.listing(check("user_id", "1"), NOW)).isInstanceOf(Listing.Barred.class);
        assertThat(before.listing(check("user_id", "1"), NOW)).isInstanceOf(Listing.Unlisted.class);
    }

    @Test
    void a_client_is_shown_its_limits_by_its_tier_and_under_its_own_terms() {
        policy("p", "\"applies_to\":{\"endpoints\":[\"/only/here\"]}");
        policy("pro-users", "\"algorithm\":\"fixed_window\",\"applies_to\":{\"methods\":[\"GET\"]},\"priority\":-1");
        policy("all", "\"priority\":-2");
        override("p", "user_id", "1", 7, 0, Expiry.NEVER);
        override("pro-users", "user_id", "1", 8, 0, NOW_ENDED);
        tier("user_id", "2", "unlimited");
        RegionRules book = book();

        assertThat(book.clientLimits(check("user_id", "1"), false, Optional.empty(), NOW))
                .extracting(limit -> limit.policy().id() + ":" + limit.quota().limit())
                .containsExactly("p:7", "pro-users:100");
        assertThat(book.clientLimits(check("user_id", "2"), false, Optional.empty(), NOW))
                .isEmpty();
    }

    @Test
    void a_policy_too_many_is_refused_and_the_rest_applies() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(rules.put(new RuleEntry.OfPolicy(Policy.of(
                            "p" + i, KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 1, Window.Span.ofSeconds(1)))))
                    .isTrue();
        }

        assertThat(rules.put(new RuleEntry.OfPolicy(
                        Policy.of("q", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 1, Window.Span.ofSeconds(1)))))
                .isFalse();
        assertThat(book().policies()).isEqualTo(10_000);
    }

    private CompiledRules book() {
        return CompiledRules.compile(rules.publish(), "us-east", null);
    }

    private List<String> ids(Check check) {
        return book().limits(check, Optional.empty(), NOW).stream()
                .map(limit -> limit.policy().id())
                .toList();
    }

    private List<String> terms(Check check, Optional<Integer> load, long now) {
        return book().limits(check, load, now).stream()
                .map(limit -> limit.quota().limit() + "+" + limit.quota().burst())
                .toList();
    }

    private void policy(String id, String fields) {
        String key = "\"id\":\"" + id + "\",\"key\":[\"user_id\"],\"limit\":100,\"window\":\"1m\"";
        if (fields.contains("tiers") || id.equals("all")) {
            key = key.replace("[\"user_id\"]", "[]");
        }
        String algorithm = fields.contains("algorithm") ? "" : ",\"algorithm\":\"fixed_window\"";
        String more = fields.isEmpty() ? "" : "," + fields;
        rules.put(new RuleEntry.OfPolicy(PolicyJson.read("{" + key + algorithm + more + "}")));
    }

    private void list(ListKind kind, String type, String value, Expiry expiry) {
        rules.put(new RuleEntry.OfList(kind, new ListEntry(new Identifier(type, value), "", expiry)));
    }

    private void tier(String type, String value, String tier) {
        rules.put(new RuleEntry.OfClientTier(new ClientTier(new Identifier(type, value), tier)));
    }

    private void override(String policy, String type, String value, long limit, long burst, Expiry expiry) {
        rules.put(
                new RuleEntry.OfOverride(new LimitOverride(policy, new Identifier(type, value), limit, burst, expiry)));
    }

    private static Check check(String... attributes) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            map.put(attributes[i], attributes[i + 1]);
        }
        return new Check(map, "/", "GET", Map.of(), "", 1);
    }
}
