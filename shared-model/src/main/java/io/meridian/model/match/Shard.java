package io.meridian.model.match;

import java.nio.charset.StandardCharsets;

/**
 * Where a limit lives: one Redis slot and one Kafka partition hold all of it. The hash is part of the stored layout and
 * may never change: FNV-1a over policy, a zero byte and key in UTF-8, mixed so that all bits count.
 */
public record Shard(int number) {
    public static final int COUNT = 1024;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    public Shard {
        if (number < 0 || number >= COUNT) {
            throw new IllegalArgumentException("shard must be from 0 to " + (COUNT - 1) + ", got " + number);
        }
    }

    public static Shard of(String policyId, String key) {
        long hash = fnv(FNV_OFFSET, policyId) * FNV_PRIME;
        return new Shard((int) Long.remainderUnsigned(mixed(fnv(hash, key)), COUNT));
    }

    /** The Redis hash tag that keeps every key of this shard in one slot. */
    public String hashTag() {
        return "{s" + number + "}";
    }

    /** The Kafka partition of this shard. */
    public int partition(int partitions) {
        return number % partitions;
    }

    /** Without a copy of the text as long as it is ASCII, where a character is its own byte. */
    private static long fnv(long hash, String text) {
        long ascii = hash;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return fnvOfBytes(hash, text);
            }
            ascii = (ascii ^ text.charAt(i)) * FNV_PRIME;
        }
        return ascii;
    }

    private static long fnvOfBytes(long hash, String text) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    private static long mixed(long hash) {
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
