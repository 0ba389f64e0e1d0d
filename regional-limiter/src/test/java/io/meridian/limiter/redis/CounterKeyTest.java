package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.TestKeys;
import io.meridian.limiter.redis.CounterKey.AlgorithmCode;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterKeyTest {
    private static final Quota TERMS = Quota.of(10, 0, Window.parse("1m"));
    /** Stored counters are found by it: a change of the hash would forget them all. Computed by another implementation. */
    private static final String STORED = "7b733830367d740572deacada2";

    @Test
    void it_is_the_hash_tag_and_seven_bytes() {
        Limit limit = limit("api-default", Algorithm.TOKEN_BUCKET, "api_key=k-1");
        byte[] key = CounterKey.of(TestKeys.KEYS, limit);
        String tag = TestKeys.KEYS.shard(limit).hashTag();

        assertThat(new String(key, 0, tag.length(), StandardCharsets.US_ASCII)).isEqualTo(tag);
        assertThat(key).hasSize(tag.length() + 7);
        assertThat(CounterKey.listOf(key)).hasSize(key.length + 1).startsWith(key);
    }

    @Test
    void it_never_changes() {
        Limit limit = limit("api-default", Algorithm.TOKEN_BUCKET, "user_id=日本");

        assertThat(SetTime.name(CounterKey.of(TestKeys.KEYS, limit))).isEqualTo(STORED);
    }

    @Test
    void policy_algorithm_and_key_each_make_another_counter() {
        Set<String> keys = new HashSet<>();
        for (int policy = 0; policy < 10; policy++) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (int i = 0; i < 1_000; i++) {
                    keys.add(name(TestKeys.KEYS, limit("p" + policy, algorithm, "user_id=" + i)));
                }
            }
        }
        assertThat(keys).hasSize(10 * 7 * 1_000);
        assertThat(name(TestKeys.KEYS, limit("ab", Algorithm.GCRA, "c")))
                .isNotEqualTo(name(TestKeys.KEYS, limit("a", Algorithm.GCRA, "bc")));
    }

    /** Six characters that a search of minutes on one core found to have alice's counter while its key was a hash without a secret. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "000102030405060708090a0b0c0d0e0f",
                "00000000000000000000000000000000",
                "00000000000000000000000000000001",
                "ffffffffffffffffffffffffffffffff",
                "7f4a7c159e3779b9bf58476d1ce4e5b9"
            })
    void an_identifier_made_to_share_a_known_users_counter_does_not_under_a_secret(String secret) {
        Limit victim = limit("per-user", Algorithm.SLIDING_WINDOW_COUNTER, "user_id=alice");
        Limit attacker =
                limit("per-user", Algorithm.SLIDING_WINDOW_COUNTER, "user_id=\u5942\u727b\u72ab\u7422\u5a33\u4e05");
        assertThat(UnkeyedCounterKey.of(attacker)).isEqualTo(UnkeyedCounterKey.of(victim));

        LimitKeys keys = new LimitKeys(KeySecret.parse(secret));

        assertThat(CounterKey.of(keys, attacker)).isNotEqualTo(CounterKey.of(keys, victim));
        StoredIncarnation life = new StoredIncarnation(1_768_474_800_000_000L);
        assertThat(CounterKey.shared(keys, "per-user", attacker.key(), life))
                .isNotEqualTo(CounterKey.shared(keys, "per-user", victim.key(), life));
    }

    /** The key of a region's own counter as it was before it had a secret: FNV-1a for the shard, a multiplicative hash for the rest. */
    private static final class UnkeyedCounterKey {
        private static final long MULTIPLIER = 0x9fb21c651e98df25L;

        static String of(Limit limit) {
            String policy = limit.policy().id();
            int code = AlgorithmCode.of(limit.policy().limitSpec().algorithm());
            long hash = mixed(added(added(MULTIPLIER, policy) + code + 1, limit.key()));
            return shard(policy, limit.key()) + " " + Long.toHexString(hash & 0xffffffffffffffL);
        }

        private static long shard(String policy, String key) {
            long hash = 0xcbf29ce484222325L;
            for (byte each : (policy + "\0" + key).getBytes(StandardCharsets.UTF_8)) {
                hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
            }
            hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
            hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
            return Long.remainderUnsigned(hash ^ (hash >>> 33), 1024);
        }

        private static long added(long hash, String text) {
            long sum = (hash ^ text.length()) * MULTIPLIER;
            for (int i = 0; i < text.length(); i++) {
                sum = (Long.rotateLeft(sum, 23) + text.charAt(i)) * MULTIPLIER;
            }
            return sum;
        }

        private static long mixed(long sum) {
            long hash = (sum ^ (sum >>> 32)) * 0xd6e8feb86659fd93L;
            hash = (hash ^ (hash >>> 29)) * 0xd6e8feb86659fd93L;
            return hash ^ (hash >>> 32);
        }
    }

    private static String name(LimitKeys keys, Limit limit) {
        return SetTime.name(CounterKey.of(keys, limit));
    }

    private static Limit limit(String policyId, Algorithm algorithm, String key) {
        return World.limit(policyId, algorithm, false, key, TERMS);
    }
}
