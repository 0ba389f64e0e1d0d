package io.meridian.limiter.policy.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Fills a table; the last payload of a key wins. Whoever fills it keeps it within bounds. */
final class PackedTableBuilder {
    private static final int ENTRIES_AT_FIRST = 8;
    private static final int BYTES_AT_FIRST = 256;
    private static final int ARRAY_MAX = Integer.MAX_VALUE - 8;

    private final int payloadLongs;
    private byte[] arena = new byte[BYTES_AT_FIRST];
    private int arenaEnd;
    private int slotsFor = ENTRIES_AT_FIRST;
    private Slots slots = new Slots(slotsFor);
    private int size;

    PackedTableBuilder(int payloadLongs) {
        this.payloadLongs = payloadLongs;
    }

    int size() {
        return size;
    }

    int arenaBytes() {
        return arenaEnd;
    }

    void put(byte[] key, int keyFrom, int keyLength, long[] payload) {
        int entry = slots.find(arena, key, keyFrom, keyLength);
        if (entry == Slots.NONE) {
            makeRoom(Arena.entryBytes(keyLength, payloadLongs));
            entry = arenaEnd;
            Arena.writeKey(arena, entry, key, keyFrom, keyLength);
            slots.add(arena, entry);
            arenaEnd += Arena.entryBytes(keyLength, payloadLongs);
            size++;
        }
        for (int i = 0; i < payloadLongs; i++) {
            Arena.writePayload(arena, entry, i, payload[i]);
        }
    }

    /** The first long of the key's payload, null if the key is not there. */
    @Nullable Long first(byte[] key, int keyLength) {
        int entry = slots.find(arena, key, 0, keyLength);
        return entry == Slots.NONE ? null : (Long) Arena.payload(arena, entry, 0);
    }

    /** A table of what was put so far, in arrays of its own. */
    PackedTable build() {
        byte[] packed = Arrays.copyOf(arena, arenaEnd);
        return new PackedTable(payloadLongs, packed, indexed(packed, size), size);
    }

    private void makeRoom(int entryBytes) {
        int needed = Math.addExact(arenaEnd, entryBytes);
        if (needed > arena.length) {
            long larger = arena.length + (long) arena.length / 2;
            arena = Arrays.copyOf(arena, (int) Math.max(needed, Math.min(ARRAY_MAX, larger)));
        }
        if (size == slotsFor) {
            slotsFor *= 2;
            slots = indexed(arena, slotsFor);
        }
    }

    private Slots indexed(byte[] bytes, int entriesMax) {
        Slots index = new Slots(entriesMax);
        int entry = 0;
        for (int i = 0; i < size; i++) {
            index.add(bytes, entry);
            entry += Arena.entryBytes(Arena.keyLength(bytes, entry), payloadLongs);
        }
        return index;
    }
}
