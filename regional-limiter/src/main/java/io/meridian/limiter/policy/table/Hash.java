package io.meridian.limiter.policy.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A 64-bit hash of bytes, eight at a time: every bit of the key moves every bit of the hash. */
final class Hash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ODD_1 = 0x9e3779b97f4a7c15L;
    private static final long ODD_2 = 0xbf58476d1ce4e5b9L;

    private Hash() {}

    static long of(byte[] bytes, int from, int length) {
        long hash = length * ODD_1;
        int at = from;
        int end = from + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            hash = mixed(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & 0xff);
        }
        return mixed(hash ^ rest);
    }

    private static long mixed(long value) {
        long once = (value ^ value >>> 30) * ODD_2;
        return (once ^ once >>> 27) * ODD_1 ^ once >>> 31;
    }
}
