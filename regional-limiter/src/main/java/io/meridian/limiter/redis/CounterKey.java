package io.meridian.limiter.redis;

import io.meridian.model.match.Limit;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.match.Shard;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The Redis keys of a limit's counter: the shard's hash tag and 56 bits of a keyed hash over policy, algorithm and key, at most 14
 * bytes, which is the most that Redis keeps in 16. Part of the stored layout.
 */
final class CounterKey {
    private static final int HASH_BYTES = 7;
    private static final byte LIST = 'l';
    private static final byte DIRTY = 'd';
    private static final byte[][] TAGS = new byte[Shard.COUNT][];

    static {
        for (int i = 0; i < TAGS.length; i++) {
            TAGS[i] = new Shard(i).hashTag().getBytes(StandardCharsets.US_ASCII);
        }
    }

    private CounterKey() {}

    /** The books of a shard that are to be reported. */
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

    /** The prefix of all keys of a limit that regions share, in one life of the region's data. */
    static byte[] shared(LimitKeys keys, String policyId, String key, Life life) {
        long hash = keys.hash(policyId, key);
        return key(LimitKeys.shardOf(hash), LimitKeys.accountOf(hash, life.number()));
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
}
