package io.meridian.limiter.rules.table;

import io.meridian.limiter.rules.table.PackedTable.Arena;
import io.meridian.limiter.rules.table.PackedTable.Slots;
import io.meridian.model.hash.SipHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Packed table of keys and payloads in two arrays and an index, so that no entry needs an object. */
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

    /** Size of the arrays in bytes. */
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

    /** Visitor of entries, one by one; the bytes are the table's own. */
    interface Visitor {
        void visit(byte[] bytes, int keyFrom, int keyLength, long[] payload);
    }

    /**
     * Layout of entries in one array of bytes: the key's length in one or two bytes, the key, and a payload of a fixed number of
     * longs. An entry is known by its offset.
     */
    static final class Arena {
        static final int KEY_MAX = 0x7fff;
        private static final int SHORT_KEY_MAX = 0x7f;
        private static final VarHandle LONGS =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        private Arena() {}

        static int entryBytes(int keyLength, int payloadLongs) {
            return (keyLength <= SHORT_KEY_MAX ? 1 : 2) + keyLength + payloadLongs * Long.BYTES;
        }

        /** Writes the key of a new entry. */
        static void writeKey(byte[] arena, int entry, byte[] key, int keyFrom, int keyLength) {
            int at = entry;
            if (keyLength > SHORT_KEY_MAX) {
                arena[at++] = (byte) (keyLength >>> Byte.SIZE | 0x80);
            }
            arena[at++] = (byte) keyLength;
            System.arraycopy(key, keyFrom, arena, at, keyLength);
        }

        static int keyLength(byte[] arena, int entry) {
            int first = arena[entry];
            return first >= 0 ? first : (first & SHORT_KEY_MAX) << Byte.SIZE | (arena[entry + 1] & 0xff);
        }

        static int keyFrom(byte[] arena, int entry) {
            return entry + (arena[entry] >= 0 ? 1 : 2);
        }

        static boolean hasKey(byte[] arena, int entry, byte[] key, int keyFrom, int keyLength) {
            int from = keyFrom(arena, entry);
            return keyLength(arena, entry) == keyLength
                    && Arrays.equals(arena, from, from + keyLength, key, keyFrom, keyFrom + keyLength);
        }

        static long payload(byte[] arena, int entry, int index) {
            int at = keyFrom(arena, entry) + keyLength(arena, entry) + index * Long.BYTES;
            return (long) LONGS.get(arena, at);
        }

        static void writePayload(byte[] arena, int entry, int index, long value) {
            int at = keyFrom(arena, entry) + keyLength(arena, entry) + index * Long.BYTES;
            LONGS.set(arena, at, value);
        }
    }

    /**
     * An open-addressing index of entries by key, probed in a line. A byte of each key's hash stands before its offset, so
     * that a key that is not there is found missing almost without a look at the entries.
     */
    static final class Slots {
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

    /**
     * Hash of identifiers in tables, under a key of this process: nobody can choose identifiers that crowd one place and make it
     * slow to look for what is not there. Nothing outside the process depends on it.
     */
    static final class Hash {
        private static final SipHash OF_THIS_PROCESS = random();

        private Hash() {}

        static long of(byte[] bytes, int from, int length) {
            return OF_THIS_PROCESS.of(bytes, from, length);
        }

        private static SipHash random() {
            SecureRandom random = new SecureRandom();
            return new SipHash(random.nextLong(), random.nextLong());
        }
    }

    /** Builder of a table; the last payload of a key wins. The caller keeps it within bounds. */
    static final class PackedTableBuilder {
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

    /**
     * A large table and the few changes since it was packed, removals included, so that a change costs what the changes are,
     * not what the table is.
     *
     * @param size how many keys are there
     */
    record LayeredTable(PackedTable base, PackedTable delta, long size) {
        static LayeredTable empty(int payloadLongs) {
            PackedTable empty = PackedTable.empty(payloadLongs);
            return new LayeredTable(empty, empty, 0);
        }

        /** The payload of a key, null if it is not there. */
        long @Nullable [] find(byte[] key, int keyLength) {
            long[] changed = delta.find(key, 0, keyLength);
            if (changed != null) {
                return changed[0] == PackedTable.REMOVED ? null : changed;
            }
            return base.find(key, 0, keyLength);
        }

        long bytes() {
            return base.bytes() + delta.bytes();
        }

        /** Shows what is there, in no particular order. */
        void forEach(PackedTable.Visitor visitor) {
            base.forEach((bytes, from, length, payload) -> {
                if (delta.find(bytes, from, length) == null) {
                    visitor.visit(bytes, from, length, payload);
                }
            });
            delta.forEach((bytes, from, length, payload) -> {
                if (payload[0] != PackedTable.REMOVED) {
                    visitor.visit(bytes, from, length, payload);
                }
            });
        }
    }
}
