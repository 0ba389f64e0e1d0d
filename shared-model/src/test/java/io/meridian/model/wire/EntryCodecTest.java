package io.meridian.model.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.validation.ValidationException;
import io.meridian.testkit.Histories;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryCodecTest {
    private static final Expiry SOON = Expiry.parse("2026-01-15T11:00:00Z");

    /** What version 1 wrote. It is in topics: it must be read for ever, and compaction knows it by these keys. */
    private static final Map<RuleEntry, String> V1 = Map.of(
            new RuleEntry.OfTier(new Tier("free", "d", true)),
            "tier/free {\"format\":1,\"name\":\"free\",\"description\":\"d\",\"default\":true}",
            new RuleEntry.OfClientTier(new ClientTier(new Identifier("api_key", "k/1%"), "pro")),
            "client-tier/api_key/k%2F1%25"
                    + " {\"format\":1,\"identifier_type\":\"api_key\",\"identifier\":\"k/1%\",\"tier\":\"pro\"}",
            new RuleEntry.OfOverride(new LimitOverride("p", new Identifier("user_id", "42"), 10, 5, SOON)),
            "override/p/user_id/42 {\"format\":1,\"policy\":\"p\",\"identifier_type\":\"user_id\","
                    + "\"identifier\":\"42\",\"limit\":10,\"burst\":5,\"expires_at\":\"2026-01-15T11:00:00Z\"}",
            new RuleEntry.OfList(
                    ListKind.DENY, new ListEntry(new Identifier("ip", "2001:db8::/32"), "abuse", Expiry.NEVER)),
            "deny/ip/2001:db8::%2F32 {\"format\":1,\"identifier_type\":\"ip\",\"identifier\":\"2001:db8::/32\","
                    + "\"reason\":\"abuse\",\"expires_at\":null}",
            new RuleEntry.OfList(ListKind.ALLOW, new ListEntry(new Identifier("tenant", "a"), "", SOON)),
            "allow/tenant/a {\"format\":1,\"identifier_type\":\"tenant\",\"identifier\":\"a\",\"reason\":\"\","
                    + "\"expires_at\":\"2026-01-15T11:00:00Z\"}",
            new RuleEntry.OfAdaptive(AdaptiveTable.DEFAULT),
            "adaptive {\"format\":1,\"steps\":[{\"load_percent\":50,\"limit_percent\":150},"
                    + "{\"load_percent\":80,\"limit_percent\":100},{\"load_percent\":95,\"limit_percent\":70},"
                    + "{\"load_percent\":100,\"limit_percent\":50}]}");

    @Test
    void version_1_is_read_and_written_as_it_always_was() {
        V1.forEach((entry, record) -> {
            String[] parts = record.split(" ", 2);
            assertThat(EntryCodec.key(entry.key())).isEqualTo(parts[0]);
            assertThat(EntryCodec.value(entry)).isEqualTo(parts[1]);
            assertThat(EntryCodec.decode(parts[0], parts[1])).isEqualTo(new RuleEntry.Change.Put(entry));
            assertThat(EntryCodec.decode(parts[0], null)).isEqualTo(new RuleEntry.Change.Removed(entry.key()));
        });
    }

    @Test
    void a_tier_is_written_with_its_upgrade_url_if_it_has_one() {
        RuleEntry free =
                new RuleEntry.OfTier(new Tier("free", "", true, Optional.of("https://acme.test/plans?from=free")));
        String text = "{\"format\":1,\"name\":\"free\",\"description\":\"\",\"default\":true,"
                + "\"upgrade_url\":\"https://acme.test/plans?from=free\"}";

        assertThat(EntryCodec.value(free)).isEqualTo(text);
        assertThat(EntryCodec.decode("tier/free", text)).isEqualTo(new RuleEntry.Change.Put(free));
        assertThat(EntryCodec.decode("tier/free", text.replace("\"https://acme.test/plans?from=free\"", "null")))
                .isEqualTo(new RuleEntry.Change.Put(new RuleEntry.OfTier(new Tier("free", "", true))));
    }

    @Test
    void no_two_entries_share_a_key() {
        Map<String, RuleEntry.Key> seen = new HashMap<>();
        Histories.TODAY.forEach(random -> {
            RuleEntry.Key key = draw(random);
            String text = EntryCodec.key(key);
            assertThat(seen.putIfAbsent(text, key)).isIn(null, key);
            assertThat(EntryCodec.decode(text, null)).isEqualTo(new RuleEntry.Change.Removed(key));
        });
    }

    private static RuleEntry.Key draw(SplittableRandom random) {
        String alphabet = "a/%25F";
        StringBuilder value = new StringBuilder();
        for (int i = random.nextInt(1, 7); i > 0; i--) {
            value.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        Identifier identifier = new Identifier(random.nextBoolean() ? "a" : "aa", value.toString());
        return switch (random.nextInt(4)) {
            case 0 -> new RuleEntry.Key.OfList(ListKind.ALLOW, identifier);
            case 1 -> new RuleEntry.Key.OfList(ListKind.DENY, identifier);
            case 2 -> new RuleEntry.Key.OfClientTier(identifier);
            default -> new RuleEntry.Key.OfOverride(random.nextBoolean() ? "a" : "a.a", identifier);
        };
    }

    @Test
    void a_field_of_a_later_build_is_skipped_where_the_api_would_refuse_it() throws Exception {
        String later = "{\"format\":1,\"name\":\"free\",\"color\":\"red\"}";

        assertThat(EntryCodec.decode("tier/free", later))
                .isEqualTo(new RuleEntry.Change.Put(new RuleEntry.OfTier(new Tier("free", "", false))));
        assertThatThrownBy(() -> EntryJson.tier(PolicyJson.tree("{\"name\":\"free\",\"color\":\"red\"}")))
                .isInstanceOf(MalformedException.class)
                .hasMessage("a tier has no field color");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tier/free {\"format\":2,\"name\":\"free\"}",
                "tier/free {\"name\":\"free\"}",
                "tier/free {\"format\":1,\"name\":\"gold\"}",
                "tier/free {\"format\":1}",
                "tier/free []",
                "tier/free {",
                "tier/free nonsense",
                "tier/a%20b {\"format\":1}",
                "tier {}",
                "planet/earth {\"format\":1}",
                "policy/p {\"format\":1,\"id\":\"q\"}",
                "deny/ip/203.0.113.9%2F24 {\"format\":1,\"identifier_type\":\"ip\",\"identifier\":\"203.0.113.0/24\"}",
                "deny/user_id/ {\"format\":1,\"identifier_type\":\"user_id\",\"identifier\":\"\"}",
                "override/p/user_id/1 {\"format\":1,\"policy\":\"p\",\"identifier_type\":\"user_id\",\"identifier\":\"1\"}",
                "adaptive {\"format\":1,\"steps\":[{\"load_percent\":50,\"limit_percent\":150}]}",
                "adaptive/x {\"format\":1}",
            })
    void what_is_no_record_of_ours_is_refused_as_such(String record) {
        String[] parts = record.split(" ", 2);
        assertThatThrownBy(() -> EntryCodec.decode(parts[0], parts[1])).isInstanceOf(WireException.class);
    }

    @Test
    void the_api_form_names_everything_that_is_wrong() {
        assertThatThrownBy(
                        () -> EntryJson.override(
                                PolicyJson.tree(
                                        "{\"policy\":\"p\",\"identifier_type\":\"ip\",\"identifier\":\"x\",\"limit\":\"9\",\"burst\":-1}")))
                .isInstanceOf(ValidationException.class)
                .hasMessage("identifier must be an IPv4 or IPv6 address, got x;"
                        + " limit must be a whole number of at most 64 bits, got 9;"
                        + " burst must be from 0 to 1000000000000, got -1");
        assertThatThrownBy(() -> EntryJson.listEntry(PolicyJson.tree("{\"expires_at\":\"soon\"}")))
                .hasMessage("identifier_type is required, got nothing; identifier is required, got nothing;"
                        + " expires_at must be an RFC 3339 time in UTC, got soon");
        assertThatThrownBy(() -> EntryJson.clientTier(PolicyJson.tree("[1]"))).isInstanceOf(MalformedException.class);
    }

    @Test
    void the_kind_of_any_key_is_one_of_a_few_words() {
        assertThat(EntryCodec.kind("client-tier/a/b")).isEqualTo("client-tier");
        assertThat(EntryCodec.kind("deny/a/b")).isEqualTo("deny");
        assertThat(EntryCodec.kind("adaptive")).isEqualTo("adaptive");
        assertThat(EntryCodec.kind("whatever")).isEqualTo("unknown");
    }
}
