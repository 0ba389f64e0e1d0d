package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.match.Limit;
import io.meridian.model.match.Shard;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The Redis keys of a limit's counter: the shard's hash tag and 56 bits of a hash over policy, algorithm and key, at most 14
 * bytes, which is the most that Redis keeps in 16. Part of the stored layout. The algorithm is in it because a counter of
 * one means nothing to another.
 */
final class CounterKey {
    private static final int HASH_BYTES = 7;
    private static final byte LIST = 'l';
    private static final byte DIRTY = 'd';
    private static final long MULTIPLIER = 0x9fb21c651e98df25L;
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

    static byte[] of(Limit limit) {
        return key(
                limit.shard(),
                hash(limit.policy().id(), limit.policy().counting().algorithm(), limit.key()));
    }

    private static byte[] key(Shard shard, long hash) {
        byte[] tag = TAGS[shard.number()];
        byte[] key = new byte[tag.length + HASH_BYTES];
        System.arraycopy(tag, 0, key, 0, tag.length);
        for (int i = 0; i < HASH_BYTES; i++) {
            key[tag.length + i] = (byte) (hash >>> (8 * i));
        }
        return key;
    }

    /** The prefix of all keys of a limit that regions share, in one life of the region's data. */
    static byte[] shared(String policyId, String key, Life life) {
        long hash = added(MULTIPLIER + life.number(), policyId);
        return key(Shard.of(policyId, key), mixed(added(hash, key)));
    }

    /** Unlike the shard's hash in every step, so that what shares a shard does not share more. */
    private static long hash(String policyId, Algorithm algorithm, String key) {
        long hash = added(MULTIPLIER, policyId);
        return mixed(added(hash + AlgorithmCode.layout(algorithm) + 1, key));
    }

    private static long mixed(long sum) {
        long hash = sum;
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        hash = (hash ^ (hash >>> 29)) * 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }

    private static long added(long hash, String text) {
        long sum = (hash ^ text.length()) * MULTIPLIER;
        for (int i = 0; i < text.length(); i++) {
            sum = Long.rotateLeft(sum, 23) + text.charAt(i);
            sum *= MULTIPLIER;
        }
        return sum;
    }
}
