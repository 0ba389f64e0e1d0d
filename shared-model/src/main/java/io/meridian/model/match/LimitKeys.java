package io.meridian.model.match;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.hash.SipHash;

/**
 * Keyed hashes of limits under the secret of the deployment, which place and name their counters. Clients choose much of a key; without the secret they can neither find
 * two keys that share a counter nor aim many at one shard.
 *
 * <p>One keyed hash of policy and key, 64 bits, is all that a limit is known by: its highest ten bits are the shard, and xored with what else
 * tells counters of the limit apart it is the name of one. What is computed here is part of the stored layout and may never change.
 */
public final class LimitKeys {
    private static final int SHARD_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(Shard.COUNT);
    /** Odd, so that different numbers stay different in the low bits that names consist of. */
    private static final long COUNTER_STEP = 0x9e3779b97f4a7c15L;

    private static final long ACCOUNT_STEP = 0xbf58476d1ce4e5b9L;

    private final SipHash hash;
    private final int secretCheck;

    public LimitKeys(KeySecret secret) {
        this.hash = secret.hash();
        this.secretCheck = secret.checkValue();
    }

    /** The check value of the secret: under another one, limits are in other partitions. */
    public int secretCheck() {
        return secretCheck;
    }

    public Shard shard(Limit limit) {
        return shard(limit.policy().id(), limit.key());
    }

    public Shard shard(String policyId, String key) {
        return shardOf(hash(policyId, key));
    }

    /** The keyed hash of a limit; the other methods go on from it. */
    public long hash(String policyId, String key) {
        return hash.of(policyId, key);
    }

    public static Shard shardOf(long hash) {
        return new Shard((int) (hash >>> SHARD_SHIFT));
    }

    /** The name of a region's own counter: one algorithm's counter means nothing to another. */
    public static long counterOf(long hash, int algorithm) {
        return hash ^ (algorithm + 1) * COUNTER_STEP;
    }

    /** The name of the accounts of a global limit, in one incarnation of the region's data. */
    public static long accountOf(long hash, long incarnation) {
        return hash ^ incarnation * ACCOUNT_STEP;
    }
}
