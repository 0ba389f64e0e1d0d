package io.meridian.limiter.redis;

import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Redis keys of a limit's counter: the shard's hash tag and 56 bits of a keyed hash over policy, algorithm and key, at most 14
 * bytes, which is the most that Redis keeps in 16. Part of the stored layout.
 */
final class CounterKey {
    static final int HASH_BYTES = 7;
    static final byte LIST = 'l';
    static final byte DIRTY = 'd';
    private static final byte[][] TAGS = new byte[Shard.COUNT][];

    static {
        for (int i = 0; i < TAGS.length; i++) {
            TAGS[i] = new Shard(i).hashTag().getBytes(StandardCharsets.US_ASCII);
        }
    }

    private CounterKey() {}

    /** The accounts of a shard that are to be reported. */
    static byte[] dirty(Shard shard) {
        byte[] tag = TAGS[shard.number()];
        byte[] key = Arrays.copyOf(tag, tag.length + 1);
        key[tag.length] = DIRTY;
        return key;
    }

    /** The key of the list in which a long log keeps its entries. */
    static byte[] listOf(byte[] counterKey) {
        byte[] key = Arrays.copyOf(counterKey, counterKey.length + 1);
        key[counterKey.length] = LIST;
        return key;
    }

    static byte[] of(LimitKeys keys, Limit limit) {
        long hash = keys.hash(limit.policy().id(), limit.key());
        int algorithm = AlgorithmCode.of(limit.policy().limitSpec().algorithm());
        return key(LimitKeys.shardOf(hash), LimitKeys.counterOf(hash, algorithm));
    }

    /** The prefix of all keys of a global limit, in one incarnation of the region's data. */
    static byte[] shared(LimitKeys keys, String policyId, String key, StoredIncarnation incarnation) {
        long hash = keys.hash(policyId, key);
        return key(LimitKeys.shardOf(hash), LimitKeys.accountOf(hash, incarnation.number()));
    }

    private static byte[] key(Shard shard, long name) {
        byte[] tag = TAGS[shard.number()];
        byte[] key = new byte[tag.length + HASH_BYTES];
        System.arraycopy(tag, 0, key, 0, tag.length);
        for (int i = 0; i < HASH_BYTES; i++) {
            key[tag.length + i] = (byte) (name >>> (8 * i));
        }
        return key;
    }

    /** Numbers of algorithms in the scripts and in stored keys: never to be given to another. */
    static final class AlgorithmCode {
        private AlgorithmCode() {}

        static int of(Algorithm algorithm) {
            return switch (algorithm) {
                case FIXED_WINDOW -> 0;
                case SLIDING_WINDOW_LOG -> 1;
                case SLIDING_WINDOW_COUNTER -> 2;
                case SLIDING_WINDOW_ESTIMATE -> 3;
                case TOKEN_BUCKET -> 4;
                case LEAKY_BUCKET -> 5;
                case GCRA -> 6;
            };
        }
    }
}
