package io.meridian.limiter.policy.table;

import org.jspecify.annotations.Nullable;

/** Keys and their payloads in two arrays and an index, whatever their number: no object per entry. */
final class PackedTable {
    /** The first long of the payload of a key that was removed. */
    static final long REMOVED = Long.MIN_VALUE;

    private final int payloadLongs;
    private final byte[] arena;
    private final Slots slots;
    private final int size;

    PackedTable(int payloadLongs, byte[] arena, Slots slots, int size) {
        this.payloadLongs = payloadLongs;
        this.arena = arena;
        this.slots = slots;
        this.size = size;
    }

    static PackedTable empty(int payloadLongs) {
        return new PackedTable(payloadLongs, new byte[0], new Slots(0), 0);
    }

    /** The payload of a key, null if the key is not there; that of a removed key begins with {@link #REMOVED}. */
    long @Nullable [] find(byte[] key, int keyFrom, int keyLength) {
        int entry = size == 0 ? Slots.NONE : slots.find(arena, key, keyFrom, keyLength);
        return entry == Slots.NONE ? null : payload(entry);
    }

    int size() {
        return size;
    }

    int arenaBytes() {
        return arena.length;
    }

    /** What it takes of the heap. */
    long bytes() {
        return arena.length + slots.bytes();
    }

    void forEach(Visitor visitor) {
        int entry = 0;
        for (int i = 0; i < size; i++) {
            int keyLength = Arena.keyLength(arena, entry);
            visitor.visit(arena, Arena.keyFrom(arena, entry), keyLength, payload(entry));
            entry += Arena.entryBytes(keyLength, payloadLongs);
        }
    }

    private long[] payload(int entry) {
        long[] payload = new long[payloadLongs];
        for (int i = 0; i < payloadLongs; i++) {
            payload[i] = Arena.payload(arena, entry, i);
        }
        return payload;
    }

    /** Is shown the entries one by one; the bytes are the table's own. */
    interface Visitor {
        void visit(byte[] bytes, int keyFrom, int keyLength, long[] payload);
    }
}
