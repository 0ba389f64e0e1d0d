package io.meridian.config.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.rules.Identifier;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.ValidationException;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryKindTest {
    private static final List<String> PIECES = List.of(
            ":", "/", "%", "..", ";", "?", "#", "+", " ", "'", "\"", "\\", "a", "é", "𝄞", "user_id:", "ip:", "=");

    @Test
    void an_id_is_read_as_what_it_was_written_for_and_no_two_keys_share_one() {
        TestSeeds.forEachHistory(TestAmounts.of(3, 30), EntryKindTest::idsAreReadBack);
    }

    private static void idsAreReadBack(SplittableRandom random) {
        Map<String, RuleEntry.Key> seen = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            RuleEntry.Key key = key(random);
            EntryKind kind = EntryKind.of(key);
            String id = EntryKind.id(key);

            assertThat(kind.key(id)).as(id).isEqualTo(key);
            RuleEntry.Key other = seen.putIfAbsent(kind + " " + id, key);
            assertThat(other == null || other.equals(key)).as(id).isTrue();
        }
    }

    private static RuleEntry.Key key(SplittableRandom random) {
        StringBuilder value = new StringBuilder();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            value.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        Identifier identifier = random.nextInt(5) == 0
                ? new Identifier("ip", "2001:db8::" + random.nextInt(9) + "/" + (1 + random.nextInt(128)))
                : new Identifier(random.nextBoolean() ? "user_id" : "a_b", value.toString());
        return switch (random.nextInt(5)) {
            case 0 -> new RuleEntry.Key.OfPolicy("p-" + random.nextInt(99) + ".x_y");
            case 1 -> new RuleEntry.Key.OfClientTier(identifier);
            case 2 -> new RuleEntry.Key.OfOverride("p." + random.nextInt(3), identifier);
            case 3 -> new RuleEntry.Key.OfList(ListKind.ALLOW, identifier);
            default -> new RuleEntry.Key.OfList(ListKind.DENY, identifier);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "POLICY, a b",
        "POLICY, -a",
        "TIER, a/b",
        "CLIENT_TIER, nobody",
        "CLIENT_TIER, user_id:",
        "CLIENT_TIER, User:1",
        "OVERRIDE, user_id:1",
        "OVERRIDE, :user_id:1",
        "OVERRIDE, a b:user_id:1",
        "ALLOW, ip:1.2.3",
        "DENY, ip:1.2.3.4/33",
        "DENY, endpoint:x",
        "ADAPTIVE, other"
    })
    void what_is_no_id_is_refused(EntryKind kind, String id) {
        assertThatThrownBy(() -> kind.key(id)).isInstanceOf(ValidationException.class);
    }

    @Test
    void an_address_has_one_id() {
        assertThat(EntryKind.id(EntryKind.DENY.key("ip:192.0.2.99/24"))).isEqualTo("ip:192.0.2.0/24");
        assertThat(EntryKind.id(EntryKind.DENY.key("ip:2001:0DB8::0/128"))).isEqualTo("ip:2001:db8::");
    }
}
