package io.meridian.model.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.hash.KeySecret;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LimitKeysTest {
    private static final LimitKeys KEYS = new LimitKeys(KeySecret.parse("000102030405060708090a0b0c0d0e0f"));

    /**
     * Where these keys live in every region that ever ran under this secret: another value means lost counters. Computed by another
     * implementation of SipHash.
     */
    @Test
    void what_is_stored_is_found_for_ever() {
        assertThat(KEYS.shard("api-default", "api_key=k-1")).isEqualTo(new Shard(160));
        assertThat(KEYS.shard("p", "user_id=日本")).isEqualTo(new Shard(312));
        assertThat(LimitKeys.counterOf(KEYS.hash("api-default", "user_id=日本"), 4))
                .isEqualTo(0xdea2adacde720574L);
        assertThat(LimitKeys.accountOf(KEYS.hash("api-default", "api_key=k-1"), 1_768_474_800_000_000L))
                .isEqualTo(0x7d033b7cc11e6879L);
    }

    @Test
    void keys_spread_evenly_over_shards() {
        int[] counts = new int[Shard.COUNT];
        for (int i = 0; i < 102_400; i++) {
            counts[KEYS.shard("p", "user_id=" + i).number()]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(50, 160);
        }
        assertThat(new Shard(17).hashTag()).isEqualTo("{s17}");
        assertThat(new Shard(17).partition(16)).isEqualTo(1);
    }

    /** In the 56 low bits that names consist of. */
    @Test
    void every_counter_and_book_of_a_limit_has_a_name_of_its_own() {
        long hash = KEYS.hash("p", "user_id=1");
        Set<Long> names = new HashSet<>();
        for (int algorithm = 0; algorithm < 7; algorithm++) {
            names.add(LimitKeys.counterOf(hash, algorithm) << 8);
        }
        for (int second = 0; second < 10_000; second++) {
            names.add(LimitKeys.accountOf(hash, 1_768_474_800_000_000L + 1_000_000L * second) << 8);
        }

        assertThat(names).hasSize(7 + 10_000);
        assertThat(KEYS.hash("ab", "c")).isNotEqualTo(KEYS.hash("a", "bc"));
    }

    @Test
    void another_secret_puts_a_limit_elsewhere() {
        LimitKeys others = new LimitKeys(KeySecret.parse("ff0102030405060708090a0b0c0d0e0f"));

        assertThat(others.hash("p", "user_id=1")).isNotEqualTo(KEYS.hash("p", "user_id=1"));
        int same = 0;
        for (int i = 0; i < 10_000; i++) {
            same += others.shard("p", "user_id=" + i).equals(KEYS.shard("p", "user_id=" + i)) ? 1 : 0;
        }
        assertThat(same).isLessThan(50);
    }
}
