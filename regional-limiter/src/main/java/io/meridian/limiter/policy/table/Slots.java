package io.meridian.limiter.policy.table;

/**
 * An open-addressing index of entries by key, probed in a line. A byte of each key's hash stands before its offset, so
 * that a key that is not there is found missing almost without a look at the entries.
 */
final class Slots {
    static final int NONE = -1;

    private final byte[] tags;
    private final int[] entries;

    /** Room for so many entries with two free slots for every three taken. */
    Slots(int entriesMax) {
        int slots = Math.toIntExact(entriesMax + (entriesMax * 2L + 2) / 3 + 1);
        this.tags = new byte[slots];
        this.entries = new int[slots];
    }

    int find(byte[] arena, byte[] key, int keyFrom, int keyLength) {
        long hash = Hash.of(key, keyFrom, keyLength);
        byte tag = tag(hash);
        for (int slot = home(hash); tags[slot] != 0; slot = next(slot)) {
            if (tags[slot] == tag && Arena.hasKey(arena, entries[slot], key, keyFrom, keyLength)) {
                return entries[slot];
            }
        }
        return NONE;
    }

    /** Adds an entry whose key is not there yet. */
    void add(byte[] arena, int entry) {
        long hash = Hash.of(arena, Arena.keyFrom(arena, entry), Arena.keyLength(arena, entry));
        int slot = home(hash);
        while (tags[slot] != 0) {
            slot = next(slot);
        }
        tags[slot] = tag(hash);
        entries[slot] = entry;
    }

    long bytes() {
        return (long) tags.length * (Byte.BYTES + Integer.BYTES);
    }

    private int home(long hash) {
        return (int) (((hash >>> 32) * tags.length) >>> 32);
    }

    private int next(int slot) {
        return slot + 1 == tags.length ? 0 : slot + 1;
    }

    private static byte tag(long hash) {
        byte tag = (byte) hash;
        return tag == 0 ? 1 : tag;
    }
}
