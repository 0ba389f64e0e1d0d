package io.meridian.limiter.redis;

/**
 * Whether a key may come twice among those of a call, so that what the script read at its start may be old. Remembers a few
 * bits of each key: it may say yes where the answer is no, which costs the script a little time, and never the reverse.
 */
final class RepeatedKeys {
    private static final int BITS = 4_096;

    private final long[] seen = new long[BITS / Long.SIZE];
    private boolean possible;

    void add(byte[] key) {
        int last = key.length - 1;
        int bit = (((key[last] & 0xff) << 8) | (key[last - 1] & 0xff)) % BITS;
        long mask = 1L << (bit % Long.SIZE);
        possible |= (seen[bit / Long.SIZE] & mask) != 0;
        seen[bit / Long.SIZE] |= mask;
    }

    boolean possible() {
        return possible;
    }
}
