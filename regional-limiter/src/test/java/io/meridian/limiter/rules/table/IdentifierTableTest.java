package io.meridian.limiter.rules.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.rules.table.IdentifierTable.Found;
import io.meridian.limiter.rules.table.IdentifierTableWriter.TableWriter;
import io.meridian.limiter.rules.table.PackedTable.LayeredTable;
import io.meridian.model.match.Check;
import io.meridian.model.policy.IpAddress.IpPrefix;
import io.meridian.model.rules.Identifier;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.TestSeeds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IdentifierTableTest {
    private static final long NEVER = Long.MAX_VALUE;

    @Test
    void it_says_what_a_map_says_through_any_history_of_changes() {
        int[] folded = new int[1];
        TestSeeds.forEachHistory(TestAmounts.of(8, 40), random -> {
            TableWriter writer = new TableWriter(2);
            Map<String, Long> oracle = new HashMap<>();
            int keys = random.nextInt(1, 6_000);
            LayeredTable before = writer.publish();
            Map<String, Long> oracleBefore = Map.of();
            for (int batch = 0; batch < 12; batch++) {
                change(random, writer, oracle, keys);
                LayeredTable now = writer.publish();
                folded[0] += now.base().equals(before.base()) ? 0 : 1;
                assertSame(now, oracle, keys);
                assertSame(before, oracleBefore, keys);
                before = now;
                oracleBefore = Map.copyOf(oracle);
            }
        });
        assertThat(folded[0]).as("changes that were packed").isPositive();
    }

    private static void change(SplittableRandom random, TableWriter writer, Map<String, Long> oracle, int keys) {
        for (int i = random.nextInt(1_500); i > 0; i--) {
            String key = key(random.nextInt(keys));
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(3) == 0) {
                writer.remove(bytes);
                oracle.remove(key);
            } else {
                long value = random.nextLong();
                assertThat(writer.put(bytes, NEVER, value)).isTrue();
                oracle.put(key, value);
            }
        }
    }

    private static void assertSame(LayeredTable table, Map<String, Long> oracle, int keys) {
        assertThat(table.size()).isEqualTo(oracle.size());
        for (int i = 0; i < keys; i++) {
            byte[] bytes = key(i).getBytes(StandardCharsets.UTF_8);
            long[] payload = table.find(bytes, bytes.length);
            assertThat(payload == null ? null : payload[1]).isEqualTo(oracle.get(key(i)));
        }
        Map<String, Long> shown = new HashMap<>();
        table.forEach((bytes, from, length, payload) ->
                shown.put(new String(bytes, from, length, StandardCharsets.UTF_8), payload[1]));
        assertThat(shown).isEqualTo(oracle);
    }

    /** Keys on both sides of where their length takes a second byte. */
    private static String key(int i) {
        return i % 7 == 0 ? "k" + i + "x".repeat(120 + i % 20) : "k" + i;
    }

    @Test
    void the_longest_prefix_in_force_is_found() {
        TestSeeds.forEachHistory(TestAmounts.of(30, 300), random -> {
            IdentifierTableWriter writer = new IdentifierTableWriter(1);
            Map<Identifier, Long> oracle = new HashMap<>();
            for (int i = random.nextInt(60); i > 0; i--) {
                Identifier prefix = prefix(random);
                if (random.nextInt(4) == 0) {
                    writer.remove(prefix);
                    oracle.remove(prefix);
                } else {
                    long expires = random.nextInt(3) == 0 ? 5 : NEVER;
                    writer.put(prefix, expires);
                    oracle.put(prefix, expires);
                }
            }
            IdentifierTable table = writer.publish();
            for (int i = 0; i < 40; i++) {
                Check check = check(Map.of("ip", address(random)));
                Found found = table.find(check, 10);
                assertThat(Optional.ofNullable(found).map(f -> f.identifier(check)))
                        .isEqualTo(longest(oracle, check));
            }
        });
    }

    private static Optional<String> longest(Map<Identifier, Long> oracle, Check check) {
        for (int bits = 128; bits >= 1; bits--) {
            if (check.address() != null && (check.address().isV6() || bits <= 32)) {
                Identifier prefix = new Identifier("ip", check.address() + "/" + bits);
                if (oracle.getOrDefault(prefix, 0L) > 10) {
                    return Optional.of(prefix.value());
                }
            }
        }
        return Optional.empty();
    }

    private static Identifier prefix(SplittableRandom random) {
        String address = address(random);
        int max = address.indexOf(':') >= 0 ? 128 : 32;
        return new Identifier("ip", address + "/" + random.nextInt(1, max + 1));
    }

    private static String address(SplittableRandom random) {
        return random.nextBoolean()
                ? "203.0." + random.nextInt(4) + "." + random.nextInt(4)
                : "2001:db8:" + random.nextInt(2) + "::" + random.nextInt(4);
    }

    @Test
    void types_have_an_order_and_what_does_not_fit_or_has_ended_gives_way() {
        IdentifierTableWriter writer = new IdentifierTableWriter(2);
        String[] order = {"api_key", "user_id", "tenant", "ip", "device", "zone"};
        for (int i = order.length - 1; i >= 0; i--) {
            writer.put(new Identifier(order[i], order[i].equals("ip") ? "10.0.0.0/8" : "x"), 100, i);
        }
        IdentifierTable table = writer.publish();
        Check check = check(
                Map.of("zone", "x", "device", "x", "ip", "10.1.2.3", "tenant", "x", "user_id", "x", "api_key", "x"));

        for (int i = 0; i < order.length; i++) {
            int first = i;
            Found found = table.find(check, 50, payload -> payload[1] >= first);
            assertThat(Optional.ofNullable(found).map(Found::type)).contains(order[i]);
        }
        assertThat(table.find(check, 99)).isNotNull();
        assertThat(table.find(check, 100)).isNull();
        assertThat(table.find(check(Map.of("other", "x")), 50)).isNull();
    }

    @Test
    void entries_are_shown_as_they_were_put() {
        IdentifierTableWriter writer = new IdentifierTableWriter(1);
        Map<Identifier, Long> put = Map.of(
                new Identifier("user_id", "地球"), 1L,
                new Identifier("ip", "10.0.0.0/8"), 2L,
                new Identifier("ip", "255.255.255.255"), 3L,
                new Identifier("ip", "2001:db8::/32"), 4L,
                new Identifier("ip", "ffff::1"), NEVER);
        put.forEach((identifier, expires) -> writer.put(identifier, expires));

        Map<Identifier, Long> shown = new HashMap<>();
        writer.publish().forEach((identifier, payload) -> shown.put(identifier, payload[0]));

        assertThat(shown).isEqualTo(put);
        assertThat(new IpPrefix(IpPrefix.parse("10.9.9.9").address(), 8)).hasToString("10.0.0.0/8");
    }

    @Test
    void a_full_table_refuses_new_keys_and_takes_changes_of_those_it_has() {
        TableWriter writer = new TableWriter(1, 100);
        int taken = 0;
        while (writer.put(("key" + taken).getBytes(StandardCharsets.UTF_8), taken)) {
            taken++;
        }

        assertThat(taken).isBetween(5, 9);
        assertThat(writer.put("key0".getBytes(StandardCharsets.UTF_8), 77)).isTrue();
        assertThat(writer.publish().size()).isEqualTo(taken);
        assertThat(writer.publish().find("key0".getBytes(StandardCharsets.UTF_8), 4))
                .containsExactly(77);
    }

    @Test
    void what_did_not_change_is_the_same_table() {
        IdentifierTableWriter writer = new IdentifierTableWriter(1);
        writer.put(new Identifier("user_id", "1"), NEVER);
        IdentifierTable first = writer.publish();

        assertThat(writer.publish()).isSameAs(first);
        writer.remove(new Identifier("user_id", "1"));
        assertThat(writer.publish().isEmpty()).isTrue();
        assertThat(first.size()).isEqualTo(1);
    }

    private static Check check(Map<String, String> attributes) {
        return new Check(attributes, "/", "GET", Map.of(), "", 1);
    }
}
