package io.meridian.model.match;

import org.jspecify.annotations.Nullable;

/** Sets of policies as bits, in words of 64; a policy's bit is its place in the order of evaluation. */
final class Bits {
    private Bits() {}

    static int words(int size) {
        return (size + Long.SIZE - 1) / Long.SIZE;
    }

    /** The set with one more, made on the first. */
    static long[] with(long @Nullable [] bits, int index, int words) {
        long[] more = bits == null ? new long[words] : bits;
        set(more, index);
        return more;
    }

    static void set(long[] bits, int index) {
        bits[index / Long.SIZE] |= 1L << (index % Long.SIZE);
    }

    /** The union of two sets, null being none; shared with the one that has all of it where the other is none. */
    static long @Nullable [] union(long @Nullable [] a, long @Nullable [] b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        long[] union = a.clone();
        addAll(union, b);
        return union;
    }

    static void addAll(long[] bits, long[] more) {
        for (int i = 0; i < more.length; i++) {
            bits[i] |= more[i];
        }
    }
}
