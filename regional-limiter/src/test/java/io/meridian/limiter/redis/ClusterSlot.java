package io.meridian.limiter.redis;

import io.meridian.model.match.Shard;
import java.nio.charset.StandardCharsets;

/** The slot of a Redis Cluster in which all keys of a shard are: CRC16 (XMODEM) of what the hash tag encloses. */
final class ClusterSlot {
    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] OF_SHARD = new int[Shard.COUNT];

    static {
        for (int i = 0; i < OF_SHARD.length; i++) {
            String tag = new Shard(i).hashTag();
            OF_SHARD[i] = crc(tag.substring(1, tag.length() - 1)) % COUNT;
        }
    }

    private ClusterSlot() {}

    static int of(Shard shard) {
        return OF_SHARD[shard.number()];
    }

    private static int crc(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
            crc ^= b << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return crc;
    }
}
