package io.meridian.limiter.policy.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The layout of entries in one array of bytes: the key's length in one or two bytes, the key, and a payload of a fixed
 * number of longs. An entry is known by its offset.
 */
final class Arena {
    static final int KEY_MAX = 0x7fff;
    private static final int SHORT_KEY_MAX = 0x7f;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
