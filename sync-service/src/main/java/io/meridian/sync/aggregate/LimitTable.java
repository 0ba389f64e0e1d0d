package io.meridian.sync.aggregate;

import io.meridian.model.hash.SipHash;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Packed entries by their identity: open addressing over many small tables, each of which grows for itself, so that growing
 * never takes long however many entries there are. Clients choose most of an identity, so its hash is keyed: they cannot crowd a place.
 */
final class LimitTable {
    static final int PARTS = 256;
    private static final int SMALLEST = 16;

    private final SipHash hash;
    private final byte[] @Nullable [][] parts = new byte[PARTS][SMALLEST][];
    private final int[] sizes = new int[PARTS];
    private int swept;

    LimitTable(SipHash hash) {
        this.hash = hash;
    }

    byte @Nullable [] find(LimitIdentity identity) {
        byte[] @Nullable [] part = parts[identity.hashCode() & (PARTS - 1)];
        return part[place(part, identity)];
    }

    void put(LimitIdentity identity, byte[] packed) {
        int number = identity.hashCode() & (PARTS - 1);
        byte[] @Nullable [] part = parts[number];
        int place = place(part, identity);
        if (part[place] == null) {
            sizes[number]++;
        }
        part[place] = packed;
        if (sizes[number] * 4L > part.length * 3L) {
            parts[number] = copied(part, 2 * part.length);
        }
    }

    int size() {
        int size = 0;
        for (int each : sizes) {
            size += each;
        }
        return size;
    }

    /** Looks once at each entry of the next of its parts and removes the doomed; true if that was the last part of a round. */
    boolean sweep(Predicate<byte[]> doomed) {
        int number = swept++ & (PARTS - 1);
        byte[] @Nullable [] part = parts[number];
        int doomedOnes = 0;
        for (int place = 0; place < part.length; place++) {
            byte[] packed = part[place];
            if (packed != null && doomed.test(packed)) {
                // A hole that others may have been placed behind: it is gone with this array.
                part[place] = null;
                doomedOnes++;
            }
        }
        if (doomedOnes > 0) {
            sizes[number] -= doomedOnes;
            int length = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, sizes[number])) * 2);
            parts[number] = copied(part, sizes[number] * 4L > length * 3L ? 2 * length : length);
        }
        return number == PARTS - 1;
    }

    void forEach(Consumer<byte[]> taker) {
        for (byte[] @Nullable [] part : parts) {
            for (byte[] packed : part) {
                if (packed != null) {
                    taker.accept(packed);
                }
            }
        }
    }

    private byte[] @Nullable [] copied(byte[] @Nullable [] from, int length) {
        byte[] @Nullable [] to = new byte[length][];
        for (byte[] packed : from) {
            if (packed != null) {
                int place = spread(LimitIdentity.hashOf(packed, hash)) & (length - 1);
                while (to[place] != null) {
                    place = (place + 1) & (length - 1);
                }
                to[place] = packed;
            }
        }
        return to;
    }

    private static int place(byte[] @Nullable [] part, LimitIdentity identity) {
        int place = spread(identity.hashCode()) & (part.length - 1);
        for (byte[] there = part[place]; there != null; there = part[place]) {
            if (identity.isOf(there)) {
                return place;
            }
            place = (place + 1) & (part.length - 1);
        }
        return place;
    }

    /** The number of a part is in the lowest bits, a place within it in others. */
    private static int spread(int hash) {
        return hash >>> 8 ^ hash >>> 20;
    }

    /** Identity of a limit's window, as the bytes with which its packed entry begins. */
    static final class LimitIdentity {
        private final byte[] bytes;
        private final int hash;

        LimitIdentity(byte[] bytes, SipHash hash) {
            this.bytes = bytes;
            this.hash = (int) hash.of(bytes, 0, bytes.length);
        }

        /** Whether what is packed is of this identity: no identity is the beginning of another. */
        boolean isOf(byte[] packed) {
            return packed.length >= bytes.length && Arrays.equals(packed, 0, bytes.length, bytes, 0, bytes.length);
        }

        /** The hash of the identity with which a packed entry begins. */
        static int hashOf(byte[] packed, SipHash hash) {
            return (int) hash.of(packed, 0, length(packed));
        }

        /** Policy and start are numbers of seven bits a byte, the key follows with its length. */
        private static int length(byte[] packed) {
            int at = 0;
            for (int numbers = 0; numbers < 2; at++) {
                numbers += packed[at] >= 0 ? 1 : 0;
            }
            int length = 0;
            int shift = 0;
            byte next;
            do {
                next = packed[at++];
                length |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            return at + length;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof LimitIdentity identity && Arrays.equals(bytes, identity.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
