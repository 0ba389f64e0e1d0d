package io.meridian.model.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.ValidationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "e\u0301", "日本語のキー", "ключ", "مفتاح", "कुंजी", "👩‍👩‍👧", "a b", "a,b=c%", "ΩΩ"})
    void an_identifier_may_be_in_any_script(String value) {
        assertThat(keyOf(Map.of("user_id", value), "user_id"))
                .isEqualTo("user_id=" + value.replace("%", "%25").replace(",", "%2C"));
    }

    @Test
    void an_identifier_has_1_to_512_characters_and_characters_are_not_code_units() {
        assertThat(keyOf(Map.of("user_id", "x".repeat(512)), "user_id")).hasSize(8 + 512);
        assertThat(keyOf(Map.of("user_id", "😀".repeat(512)), "user_id")).hasSize(8 + 1024);
        assertRefused(Map.of("user_id", "x".repeat(513)), "attributes.user_id must have 1 to 512 characters, got xxx");
        assertRefused(Map.of("user_id", "😀".repeat(513)), "attributes.user_id must have 1 to 512 characters");
        assertRefused(Map.of("user_id", ""), "attributes.user_id must have 1 to 512 characters, got ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00b", "\udc00\ud800", "nul\u0000", "line\nbreak", "\u0085"})
    void what_stores_would_mix_up_is_refused(String value) {
        assertRefused(Map.of("user_id", value), "attributes.user_id must be text without control characters");
    }

    @Test
    void an_address_must_be_one() {
        assertRefused(Map.of("ip", "1.2.3"), "attributes.ip must be an IPv4 or IPv6 address, got 1.2.3");
    }

    @Test
    void a_check_names_up_to_32_policies_each_once() {
        List<String> most = IntStream.range(0, 32).mapToObj(i -> "p-" + i).toList();

        assertThat(naming(most).policies()).isEqualTo(most);
        assertThat(naming(most).withTier("pro").policies()).isEqualTo(most);
        assertThatThrownBy(() ->
                        naming(IntStream.range(0, 33).mapToObj(i -> "p-" + i).toList()))
                .isInstanceOf(ValidationException.class)
                .hasMessage("policies must name at most 32 policies, got 33");
        assertThatThrownBy(() -> naming(List.of("a", "b c", "a")))
                .hasMessage("policies[1] must be the id of a policy, got b c;"
                        + " policies[2] must not name a policy twice, got a");
    }

    private static Check naming(List<String> policies) {
        return new Check(Map.of(), "/", "GET", Map.of(), "", 1, policies);
    }

    @Test
    void everything_wrong_is_named_at_once() {
        assertThatThrownBy(() -> new Check(
                        Map.of("ip", "nonsense", "user_id", ""), "x".repeat(2_049), "M".repeat(33), Map.of(), "", -1))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("attributes.ip must be")
                .hasMessageContaining("attributes.user_id must have")
                .hasMessageContaining("endpoint must have at most 2048 characters")
                .hasMessageContaining("method must have at most 32 characters")
                .hasMessageContaining("cost must be from 0 to 1000000000, got -1");
    }

    @Test
    void headers_that_differ_by_case_only_are_refused_for_no_limiter_may_choose() {
        assertThatThrownBy(() -> new Check(Map.of(), "/", "GET", Map.of("X-Plan", "a", "x-plan", "b"), "", 1))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("headers must not name a header twice");
        assertThatThrownBy(() -> new Check(Map.of(), "/", "GET", Map.of("x", "y".repeat(8_193)), "t".repeat(65), 1))
                .hasMessageContaining("headers.x must be text of at most 8192 characters")
                .hasMessageContaining("tier must have at most 64 characters");
    }

    @Test
    void the_number_of_attributes_is_bounded() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 65; i++) {
            many.put("a" + i, "x");
        }
        assertRefused(many, "attributes must have at most 64 entries, got 65");
    }

    @Test
    void keys_are_composed_in_the_order_of_the_policy() {
        Map<String, String> attributes = Map.of("user_id", "42", "tenant", "acme", "ip", "2001:DB8::1");

        assertThat(keyOf(attributes, "tenant", "user_id")).isEqualTo("tenant=acme,user_id=42");
        assertThat(keyOf(attributes, "ip")).isEqualTo("ip=2001:db8::1");
        assertThat(keyOf(attributes, "ip/24")).isEqualTo("ip=2001:db8::/64");
        assertThat(keyOf(attributes, "ip/24/32", "method")).isEqualTo("ip=2001:db8::/32,method=GET");
        assertThat(keyOf(attributes, "endpoint")).isEqualTo("endpoint=/api/v1/users");
        assertThat(keyOf(attributes)).isEmpty();
    }

    @Test
    void no_two_clients_share_a_key_by_their_spelling() {
        String a = keyOf(Map.of("tenant", "x,user_id=1", "user_id", "2"), "tenant", "user_id");
        String b = keyOf(Map.of("tenant", "x", "user_id", "1,user_id=2"), "tenant", "user_id");
        String c = keyOf(Map.of("tenant", "x%2Cuser_id=1", "user_id", "2"), "tenant", "user_id");

        assertThat(List.of(a, b, c)).doesNotHaveDuplicates();
    }

    private static String keyOf(Map<String, String> attributes, String... key) {
        Policy policy = Policy.of("p", KeySpec.of(key), Algorithm.FIXED_WINDOW, 1, Window.parse("1s"));
        Check check = new Check(attributes, "/api//v1/users/?page=2#top", "get", Map.of(), "", 1);
        return PolicyIndex.compile(List.of(policy), "us-east")
                .match(check)
                .get(0)
                .key();
    }

    private static void assertRefused(Map<String, String> attributes, String message) {
        assertThatThrownBy(() -> new Check(attributes, "/", "GET", Map.of(), "", 1))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(message);
    }
}
