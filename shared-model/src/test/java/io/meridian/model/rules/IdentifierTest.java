package io.meridian.model.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.validation.ValidationException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifierTest {
    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, 203.0.113.9",
        "203.0.113.9/32, 203.0.113.9",
        "203.0.113.9/24, 203.0.113.0/24",
        "255.255.255.255/1, 128.0.0.0/1",
        "2001:DB8:0:0::1, 2001:db8::1",
        "2001:db8::1/128, 2001:db8::1",
        "2001:db8:1::/32, 2001:db8::/32",
        "2001:db8::ff/65, 2001:db8::/65",
        "::ffff:203.0.113.9, 203.0.113.9",
        "::ffff:203.0.113.9/120, 203.0.113.0/24",
    })
    void an_address_or_prefix_has_one_text(String spelled, String canonical) {
        assertThat(new Identifier("ip", spelled)).isEqualTo(new Identifier("ip", canonical));
        assertThat(new Identifier("ip", spelled).value()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "203.0.113",
                "203.0.113.9/0",
                "203.0.113.9/33",
                "2001:db8::/129",
                "2001:db8::/0",
                "1.2.3.4/024",
                "1.2.3.4/",
                "1.2.3.4/8/8",
                "/8",
                "::ffff:1.2.3.4/96",
                "::ffff:1.2.3.4/8",
                "host"
            })
    void what_is_no_address_is_refused_by_field_and_value(String value) {
        assertThatThrownBy(() -> new Identifier("ip", value))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("identifier must");
    }

    @Test
    void a_type_is_the_name_of_an_attribute_and_a_value_is_text_of_any_script() {
        assertThat(new Identifier("device_2", "地球/%,\"").value()).isEqualTo("地球/%,\"");
        assertThatThrownBy(() -> new Identifier("User", ""))
                .hasMessage(
                        "identifier_type must be an attribute: 1 to 64 of a-z, 0-9 and _, the first a letter, got User;"
                                + " identifier must have 1 to 512 characters, got ");
        assertThatThrownBy(() -> new Identifier("endpoint", "/")).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> new Identifier("user_id", "a\nb")).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> new Identifier("user_id", "\ud800")).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> new Identifier("user_id", "x".repeat(513))).isInstanceOf(ValidationException.class);
    }

    @Test
    void an_entry_names_what_is_wrong_with_it() {
        Identifier client = new Identifier("user_id", "42");

        assertThatThrownBy(() -> new LimitOverride("a b", client, 0, -1, Expiry.NEVER))
                .hasMessage("policy must be the id of a policy, got a b; limit must be from 1 to 1000000000000, got 0;"
                        + " burst must be from 0 to 1000000000000, got -1");
        assertThatThrownBy(() -> new ClientTier(client, "")).hasMessageStartingWith("tier must be 1 to 64");
        assertThatThrownBy(() -> new Tier("gold tier", "", false)).hasMessageStartingWith("name must be 1 to 64");
        assertThatThrownBy(() -> new ListEntry(client, "x".repeat(501), Expiry.NEVER))
                .hasMessageStartingWith("reason must be text of at most 500");
    }

    @Test
    void an_upgrade_url_is_one_that_a_browser_can_follow() {
        for (String url : List.of(
                "https://acme.test",
                "http://acme.test:8080/plans?from=free#pro",
                "HTTPS://[2001:db8::1]/plans",
                "https://acme.test/" + "x".repeat(2_048 - 18))) {
            assertThat(new Tier("free", "", false, Optional.of(url)).upgradeUrl())
                    .contains(url);
        }
        for (String url : List.of(
                "",
                "acme.test/plans",
                "/plans",
                "ftp://acme.test/plans",
                "javascript:alert(1)",
                "https:///plans",
                "https://",
                "https://user:secret@acme.test/",
                "https://acme.test/a b",
                "https://acme.test/\u00e9",
                "https://acme.test/\nX-Other: 1",
                "https://acme.test/" + "x".repeat(2_048))) {
            assertThatThrownBy(() -> new Tier("free", "", false, Optional.of(url)))
                    .as(url)
                    .isInstanceOf(ValidationException.class)
                    .hasMessageStartingWith("upgrade_url must be an http or https URL of at most 2048 characters");
        }
    }

    @Test
    void the_default_tier_keeps_its_upgrade_url() {
        Tier free = new Tier("free", "For all", false, Optional.of("https://acme.test/plans"));

        assertThat(free.asDefault(true))
                .isEqualTo(new Tier("free", "For all", true, Optional.of("https://acme.test/plans")));
    }

    @Test
    void an_expiry_is_a_time_of_this_era() {
        Instant time = Instant.parse("2026-01-15T11:00:00.000001Z");

        Instant farthest = Instant.parse("9999-12-31T23:59:59.999999Z");

        assertThat(Expiry.at(time).time()).contains(time);
        assertThat(Expiry.at(farthest).time()).contains(farthest);
        assertThat(Expiry.NEVER.time()).isEmpty();
        assertThatThrownBy(() -> Expiry.parse("tomorrow"))
                .hasMessage("expires_at must be an RFC 3339 time in UTC, got tomorrow");
        assertThatThrownBy(() -> Expiry.at(Instant.MAX)).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> Expiry.at(Instant.EPOCH.minusSeconds(1))).isInstanceOf(ValidationException.class);
    }
}
