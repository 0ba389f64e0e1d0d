package io.meridian.config.outbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Open-addressing hash table of one number per key, without the keys: 16 bytes per slot and at most half of the slots used,
 * so that a topic of millions fits into a small heap. Keys are identified by 64 bits of their SHA-256.
 */
final class RevisionTable {
    /** The number of an absent key. */
    static final long ABSENT = -1;

    private static final int CAPACITY_MIN = 1 << 10;
    /** The hash of a free slot; a key of this hash is stored under the next one. */
    private static final long FREE = 0;

    private long[] hashes = new long[CAPACITY_MIN];
    private long[] revisions = filled(CAPACITY_MIN);
    private int used;

    static long hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void put(long keyHash, long revision) {
        long hash = taken(keyHash);
        int slot = slot(hash);
        if (revisions[slot] == ABSENT && hashes[slot] != hash) {
            if (used >= hashes.length / 2) {
                grow();
                slot = slot(hash);
            }
            used++;
            hashes[slot] = hash;
        }
        revisions[slot] = revision;
    }

    long get(long keyHash) {
        long hash = taken(keyHash);
        int slot = slot(hash);
        return hashes[slot] == hash ? revisions[slot] : ABSENT;
    }

    private static long taken(long hash) {
        return hash == FREE ? FREE + 1 : hash;
    }

    /** The slot of a hash, or the free slot where it belongs. A removed key keeps its slot. */
    private int slot(long hash) {
        int slot = (int) hash & (hashes.length - 1);
        while (hashes[slot] != hash && hashes[slot] != FREE) {
            slot = (slot + 1) & (hashes.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldHashes = hashes;
        long[] oldRevisions = revisions;
        hashes = new long[oldHashes.length * 2];
        revisions = filled(hashes.length);
        used = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldRevisions[i] != ABSENT) {
                put(oldHashes[i], oldRevisions[i]);
            }
        }
    }

    private static long[] filled(int capacity) {
        long[] revisions = new long[capacity];
        Arrays.fill(revisions, ABSENT);
        return revisions;
    }
}
