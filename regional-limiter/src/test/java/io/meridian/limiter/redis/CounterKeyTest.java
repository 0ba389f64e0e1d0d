package io.meridian.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Terms;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CounterKeyTest {
    private static final Terms TERMS = Terms.of(10, 0, Window.parse("1m"));
    /** Stored counters are found by it: a change of the hash would forget them all. */
    private static final String STORED = "7b733839387d2624dacc309a27";

    @Test
    void it_is_the_hash_tag_and_seven_bytes() {
        Limit limit = limit("api-default", Algorithm.TOKEN_BUCKET, "api_key=k-1");
        byte[] key = CounterKey.of(limit);
        String tag = limit.shard().hashTag();

        assertThat(new String(key, 0, tag.length(), StandardCharsets.US_ASCII)).isEqualTo(tag);
        assertThat(key).hasSize(tag.length() + 7);
        assertThat(CounterKey.listOf(key)).hasSize(key.length + 1).startsWith(key);
    }

    @Test
    void it_never_changes() {
        assertThat(SetTime.name(CounterKey.of(limit("api-default", Algorithm.TOKEN_BUCKET, "user_id=日本"))))
                .isEqualTo(STORED);
    }

    @Test
    void policy_algorithm_and_key_each_make_another_counter() {
        Set<String> keys = new HashSet<>();
        for (int policy = 0; policy < 10; policy++) {
            for (Algorithm algorithm : Algorithm.values()) {
                for (int i = 0; i < 1_000; i++) {
                    keys.add(SetTime.name(CounterKey.of(limit("p" + policy, algorithm, "user_id=" + i))));
                }
            }
        }
        assertThat(keys).hasSize(10 * 7 * 1_000);
        assertThat(CounterKey.of(limit("ab", Algorithm.GCRA, "c")))
                .isNotEqualTo(CounterKey.of(limit("a", Algorithm.GCRA, "bc")));
    }

    private static Limit limit(String policyId, Algorithm algorithm, String key) {
        return World.limit(policyId, algorithm, false, key, TERMS);
    }
}
