package io.meridian.limiter.redis;

import io.meridian.model.match.Shard;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One life of the region's data, by the region's time at which it began. What regions share is kept under keys of a life, so that
 * nothing of an earlier one is mistaken for it.
 */
record Life(long number) {
    /** Where the region's data says of which life it is. */
    static final String KEY = "life";
    /** Where it says which replication history the server had when that life began. */
    static final String ORIGIN_KEY = "life-origin";

    /** A cluster's data is taken to live for ever: its nodes come and go one by one. */
    static final Life OF_A_CLUSTER = new Life(1);

    static Life read(byte[] packed) {
        return new Life(ByteBuffer.wrap(packed).getLong());
    }

    /** As scripts hold it against the data's own; nothing for what is not held against it. */
    byte[] packed() {
        return equals(OF_A_CLUSTER)
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** The key that a script of this shard is given last. */
    byte[] key(Shard shard) {
        return equals(OF_A_CLUSTER) ? CounterKey.dirty(shard) : key();
    }

    static byte[] key() {
        return KEY.getBytes(StandardCharsets.US_ASCII);
    }
}
